/* gcast_acceptance_report: how many sets each test accepts at each utilisation, as a table, CSV or a picture. */
#include <stdlib.h>

#include "base/text/text.h"
#include "report/plots/acceptance_draw.h"

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
    for (size_t i = 0; i < e->percents.count; i++) {
        text_printf(t, "\n%9lld %%", (long long)e->percents.at[i]);
        for (size_t k = 0; k < e->test_count; k++) {
            long long permille = acceptance_permille(a, i, k);
            if (acceptance_answered(a, i, k))
                text_printf(t, "%8lld.%lld %%", permille / 10, permille % 10);
            else
                text_printf(t, "%12s", "-");
        }
    }
    text_printf(t,
                "\n\n%lld sets of %d tasks at each; a method accepts a set where it says that all deadlines are met\n",
                (long long)e->sets, e->tasks);
    for (size_t k = 0; k < e->test_count; k++)
        if (acceptance_unknown(a, k))
            text_printf(t, "%s: no answer (-) for %llu of %llu sets\n", gcast_test_name(e->tests[k]),
                        (unsigned long long)acceptance_unknown(a, k), (unsigned long long)gcast_experiment_size(e));
}

static void write_csv(text *t, const acceptance *a)
{
    const gcast_experiment *e = a->e;
    text_str(t, "utilisation_percent,method,accepted,rejected,unknown,sets\n");
    for (size_t i = 0; i < e->percents.count; i++)
        for (size_t k = 0; k < e->test_count; k++) {
            const uint64_t *c = acceptance_at(a, i, k);
            text_printf(t, "%lld,%s,%llu,%llu,%llu,%lld\n", (long long)e->percents.at[i], gcast_test_name(e->tests[k]),
                        (unsigned long long)c[GCAST_VERDICT_ACCEPTED], (unsigned long long)c[GCAST_VERDICT_REJECTED],
                        (unsigned long long)c[GCAST_VERDICT_UNKNOWN], (long long)e->sets);
        }
}

static void count_verdicts(acceptance *a, const uint32_t *verdicts)
{
    const gcast_experiment *e = a->e;
    for (uint64_t set = 0; set < gcast_experiment_size(e); set++)
        for (size_t k = 0; k < e->test_count; k++)
            a->counts[set / (uint64_t)e->sets * e->test_count + k][verdicts[set] >> (2 * k) & 3]++;
}

gcast_status gcast_acceptance_report(const gcast_experiment *e, const uint32_t *verdicts, gcast_format format,
                                     gcast_write_fn write, void *data, gcast_error *err)
{
    static void (*const writers[GCAST_FORMATS])(text *, const acceptance *) = {
        [GCAST_FORMAT_TABLE] = write_table, [GCAST_FORMAT_CSV] = write_csv};
    bool picture = format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF;
    if ((unsigned)format >= GCAST_FORMATS || (!picture && !writers[format]))
        return gcast_error_set(err, GCAST_USAGE, NULL, "acceptance cannot be written as %s",
                               gcast_format_ending(format));
    acceptance a = {.e = e, .counts = calloc(e->percents.count * e->test_count + 1, sizeof *a.counts)};
    if (!a.counts)
        return gcast_error_set_memory(err);
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
