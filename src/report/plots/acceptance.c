/* gcast_acceptance_report: how many sets each test accepts at each utilisation, as a table, CSV or a picture. */
#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/text/text.h"
#include "model/experiment.h"
#include "report/plots/acceptance_draw.h"

static void write_together(text *t, const acceptance *a, size_t point)
{
    const uint64_t *c = a->together[point];
    long long shown = acceptance_share(a, c[GCAST_VERDICT_ACCEPTED]),
              missed = acceptance_share(a, c[GCAST_VERDICT_REJECTED]),
              open = acceptance_share(a, c[GCAST_VERDICT_UNKNOWN]);
    text_printf(t, "  |%5lld.%lld %%%8lld.%lld %%%8lld.%lld %%", shown / 10, shown % 10, missed / 10, missed % 10,
                open / 10, open % 10);
}

static void write_table(text *t, const acceptance *a)
{
    const gcast_experiment *e = a->e;
    if (*e->name) {
        text_terminal(t, e->name);
        text_str(t, "\n\n");
    }
    text_str(t, "utilisation");
    for (size_t k = 0; k < e->test_count; k++)
        text_printf(t, "%12s", gcast_test_name(e->tests[k]));
    if (a->together)
        text_printf(t, "  |%9s%12s%12s", "shown", "missed", "open");
    for (size_t i = 0; i < e->percents.count; i++) {
        text_printf(t, "\n%9lld %%", (long long)e->percents.at[i]);
        for (size_t k = 0; k < e->test_count; k++) {
            long long permille = acceptance_permille(a, i, k);
            if (acceptance_answered(a, i, k))
                text_printf(t, "%8lld.%lld %%", permille / 10, permille % 10);
            else
                text_printf(t, "%12s", "-");
        }
        if (a->together)
            write_together(t, a, i);
    }
    text_printf(t,
                "\n\n%lld sets of %d tasks at each; a method accepts a set where it says that all deadlines are met\n",
                (long long)e->sets, e->tasks);
    for (size_t k = 0; k < e->test_count; k++)
        if (acceptance_unknown(a, k))
            text_printf(t, "%s: no answer (-) for %llu of %llu sets\n", gcast_test_name(e->tests[k]),
                        (unsigned long long)acceptance_unknown(a, k), (unsigned long long)gcast_experiment_size(e));
    if (a->together)
        text_printf(t,
                    "shown: an analysis accepts the set; missed: one of up to %lld executions misses a deadline; open: "
                    "neither\n",
                    (long long)e->executions);
}

static void write_csv_line(text *t, const gcast_experiment *e, size_t point, const char *method, const uint64_t *c)
{
    text_printf(t, "%lld,%s,%llu,%llu,%llu,%lld\n", (long long)e->percents.at[point], method,
                (unsigned long long)c[GCAST_VERDICT_ACCEPTED], (unsigned long long)c[GCAST_VERDICT_REJECTED],
                (unsigned long long)c[GCAST_VERDICT_UNKNOWN], (long long)e->sets);
}

static void write_csv(text *t, const acceptance *a)
{
    const gcast_experiment *e = a->e;
    text_str(t, "utilisation_percent,method,accepted,rejected,unknown,sets\n");
    for (size_t i = 0; i < e->percents.count; i++) {
        for (size_t k = 0; k < e->test_count; k++)
            write_csv_line(t, e, i, gcast_test_name(e->tests[k]), acceptance_at(a, i, k));
        if (a->together)
            write_csv_line(t, e, i, "together", a->together[i]);
    }
}

/* What all tests together say about a set: accepted by an analysis, rejected by an execution, or unknown. */
static gcast_verdict verdict_together(const gcast_experiment *e, uint32_t verdicts)
{
    gcast_verdict together = GCAST_VERDICT_UNKNOWN;
    for (size_t k = 0; k < e->test_count; k++) {
        gcast_verdict v = verdicts >> (2 * k) & 3;
        if (v == GCAST_VERDICT_ACCEPTED && experiment_is_proof(e->tests[k]))
            together = GCAST_VERDICT_ACCEPTED;
        if (v == GCAST_VERDICT_REJECTED && e->tests[k] == GCAST_TEST_SIMULATE)
            return GCAST_VERDICT_REJECTED;
    }
    return together;
}

static void count_verdicts(acceptance *a, const uint32_t *verdicts)
{
    const gcast_experiment *e = a->e;
    for (uint64_t set = 0; set < gcast_experiment_size(e); set++) {
        size_t point = set / (uint64_t)e->sets;
        for (size_t k = 0; k < e->test_count; k++)
            a->counts[point * e->test_count + k][verdicts[set] >> (2 * k) & 3]++;
        if (a->together)
            a->together[point][verdict_together(e, verdicts[set])]++;
    }
}

gcast_status gcast_acceptance_report(const gcast_experiment *e, const uint32_t *verdicts, gcast_format format,
                                     gcast_write_fn write, void *data, gcast_error *err)
{
    if (!e || !verdicts || !write)
        return argument_missing(err);
    static void (*const writers[GCAST_FORMATS])(text *, const acceptance *) = {
        [GCAST_FORMAT_TABLE] = write_table, [GCAST_FORMAT_CSV] = write_csv};
    bool picture = format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF;
    if ((unsigned)format >= GCAST_FORMATS || (!picture && !writers[format]))
        return gcast_error_set(err, GCAST_USAGE, NULL, "acceptance cannot be written as %s",
                               gcast_format_ending(format));
    acceptance a = {.e = e, .counts = calloc(e->percents.count * (e->test_count + 1) + 1, sizeof *a.counts)};
    if (!a.counts)
        return gcast_error_set_memory(err);
    a.together = e->executions ? a.counts + e->percents.count * e->test_count : NULL;
    count_verdicts(&a, verdicts);
    gcast_status status = GCAST_OK;
    if (picture) {
        status = acceptance_draw(&a, format, write, data, err);
    } else {
        text t;
        text_open(&t, write, data);
        writers[format](&t, &a);
        status = text_finish(&t, err);
    }
    free(a.counts);
    return status;
}
