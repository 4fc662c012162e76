#include "cli/commands/verify_bound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/integers.h"
#include "base/text.h"
#include "base/units.h"
#include "base/vec.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "gridcast/analyze.h"
#include "gridcast/gpu.h"
#include "model/scenario.h"
#include "model/workload/workload.h"

/* Recorded response times, from the host's call, are compared with the bounds of analyze --method bound. The analysis
 * knows the workload, its calls and the GPU's file, and nothing else of the run. */

/* Operations of one kind. */
typedef struct late_tally {
    size_t operations;    /* with a bound */
    size_t late;          /* ended after the bound for the longest latencies of the GPU's file */
    size_t late_quantile; /* ended after the bound for latencies that one call in `quantile` exceeds */
} late_tally;

typedef struct late_family {
    char *name;         /* of the family */
    size_t runs;        /* of its scenarios */
    size_t open;        /* runs without a bound */
    late_tally kernels; /* of all runs */
    late_tally copies;  /* copies and memsets of all runs */
} late_family;

/* An operation that was late for the longest latencies. */
typedef struct late_operation {
    char *name;          /* scenario and operation */
    int64_t response_ns; /* from the host's call to its end, the longest that the clocks allow */
    int64_t bound_ns;    /* what it should not exceed */
} late_operation;

typedef struct late_counts {
    const gcast_gpu *gpu;      /* the GPU of the analyses; NULL: that of the workloads */
    int64_t quantile;          /* one call in so many may take longer */
    VEC(late_family) families; /* in the order in which they came */
    late_family all;           /* over all families, without a name */
    VEC(late_operation) late;  /* the latest first, once sorted */
    VEC(int64_t) percents;     /* by operation: its bound in percent of the response; ascending, once sorted */
    bool launch_assumed;       /* the GPU's file does not say how launch latencies vary */
    bool copy_assumed;         /* nor how latencies of copies vary, and there are copies */
} late_counts;

/* The analyses of one run. */
typedef struct run_bounds {
    gcast_analysis *longest;  /* for the longest latencies of the GPU's file */
    gcast_analysis *quantile; /* for latencies that one call in `quantile` exceeds */
} run_bounds;

/* The workload with its calls as releases. */
static gcast_status called_workload(const gcast_workload *w, const gcast_run *run, gcast_workload **out,
                                    gcast_error *err)
{
    gcast_status status = gcast_workload_copy(w, out, err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        gcast_op op = (*out)->ops[i];
        op.release_ns = run->ops[i].call_ns;
        workload_put_op(*out, i, &op);
    }
    return status;
}

static gcast_status analyze_run(const late_counts *c, const gcast_workload *w, const gcast_run *run, run_bounds *b,
                                gcast_error *err)
{
    gcast_workload *called;
    gcast_analyze_options options = gcast_analyze_options_default();
    *b = (run_bounds){0};
    gcast_status status = called_workload(w, run, &called, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_workload_analyze(called, c->gpu, GCAST_METHOD_BOUND, &options, &b->longest, err);
    options.quantile = c->quantile;
    if (status == GCAST_OK)
        status = gcast_workload_analyze(called, c->gpu, GCAST_METHOD_BOUND, &options, &b->quantile, err);
    gcast_workload_free(called);
    return status;
}

static late_family *find_family(late_counts *c, const char *name)
{
    for (size_t i = 0; i < c->families.count; i++)
        if (strcmp(c->families.at[i].name, name) == 0)
            return &c->families.at[i];
    late_family family = {.name = strdup(name)};
    if (family.name && vec_push(&c->families, family))
        return &c->families.at[c->families.count - 1];
    free(family.name);
    return NULL;
}

static void count(late_tally *t, int64_t response, int64_t longest, int64_t quantile)
{
    t->operations++;
    t->late += response > longest;
    t->late_quantile += response > quantile;
}

static bool name_late(late_counts *c, const char *scenario, const char *label, int64_t response, int64_t bound)
{
    size_t size = strlen(scenario) + strlen(label) + 3;
    late_operation o = {.name = malloc(size), .response_ns = response, .bound_ns = bound};
    if (!o.name)
        return false;
    snprintf(o.name, size, "%s, %s", scenario, label);
    if (vec_push(&c->late, o))
        return true;
    free(o.name);
    return false;
}

static bool count_run(late_counts *c, late_family *f, const gcast_workload *w, const gcast_run *run,
                      const run_bounds *b)
{
    const gcast_analysis *a = b->longest;
    bool open = !a->complete || !b->quantile->complete, ok = true;
    f->runs++;
    f->open += open;
    c->all.runs++;
    c->all.open += open;
    c->launch_assumed |= a->launch.used && a->launch.source == GCAST_LATENCY_ASSUMED;
    c->copy_assumed |= a->copy.used && a->copy.source == GCAST_LATENCY_ASSUMED;
    for (size_t i = 0; i < a->response_count && !open && ok; i++) {
        const gcast_run_op *o = &run->ops[a->responses[i].op];
        const gcast_op *op = &w->ops[o->op];
        bool kernel = op->kind == GCAST_KIND_KERNEL;
        int64_t response = o->end_ns + run->gpu_zero_hi_ns - o->call_ns, longest = a->responses[i].worst_ns;
        count(kernel ? &f->kernels : &f->copies, response, longest, b->quantile->responses[i].worst_ns);
        count(kernel ? &c->all.kernels : &c->all.copies, response, longest, b->quantile->responses[i].worst_ns);
        ok = vec_push(&c->percents, min_i64(longest, INT64_MAX / 100) * 100 / max_i64(response, 1));
        if (ok && response > longest)
            ok = name_late(c, w->name, op->label, response, longest);
    }
    return ok;
}

/* Analyzes every run of a scenario. */
static gcast_status late_add(late_counts *c, const gcast_scenario *s, gcast_error *err)
{
    late_family *f = find_family(c, s->family);
    gcast_status status = f ? GCAST_OK : gcast_error_set_memory(err);
    for (size_t i = 0; i < s->run_count && status == GCAST_OK; i++) {
        run_bounds b;
        status = analyze_run(c, s->workload, s->runs[i], &b, err);
        if (status == GCAST_OK && !count_run(c, f, s->workload, s->runs[i], &b))
            status = gcast_error_set_memory(err);
        gcast_analysis_free(b.longest);
        gcast_analysis_free(b.quantile);
    }
    return status;
}

static int latest_first(const void *a, const void *b)
{
    const late_operation *x = a, *y = b;
    int64_t p = x->response_ns - x->bound_ns, q = y->response_ns - y->bound_ns;
    return p != q ? (p > q ? -1 : 1) : strcmp(x->name, y->name);
}

static void late_sort(late_counts *c)
{
    if (c->late.count)
        qsort(c->late.at, c->late.count, sizeof *c->late.at, latest_first);
    if (c->percents.count)
        qsort(c->percents.at, c->percents.count, sizeof *c->percents.at, compare_i64);
}

static void late_free(late_counts *c)
{
    for (size_t i = 0; i < c->families.count; i++)
        free(c->families.at[i].name);
    for (size_t i = 0; i < c->late.count; i++)
        free(c->late.at[i].name);
    vec_free(&c->families);
    vec_free(&c->late);
    vec_free(&c->percents);
}

/* Late operations are shown as a table. */

static void put_row(text *t, const char *name, const late_family *f)
{
    text_terminal(t, name);
    for (size_t n = text_width(name); n < 14; n++)
        text_char(t, ' ');
    text_printf(t, "%7zu%7zu%9zu%7zu%10zu%9zu%7zu%10zu\n", f->runs, f->open, f->kernels.operations, f->kernels.late,
                f->kernels.late_quantile, f->copies.operations, f->copies.late, f->copies.late_quantile);
}

/* The ratio that `percent` percent of the operations do not exceed, with two decimals. */
static void put_ratio(text *t, const late_counts *c, size_t percent)
{
    int64_t ratio = c->percents.at[(c->percents.count - 1) * percent / 100];
    text_printf(t, "%lld.%02lld", (long long)(ratio / 100), (long long)(ratio % 100));
}

/* Lists families, and at most max_late of the late operations, which are sorted. */
static void late_table(text *t, const late_counts *c, size_t max_late)
{
    char rare[32];
    snprintf(rare, sizeof rare, "1/%lld", (long long)c->quantile);
    text_printf(t, "%-14s%7s%7s%9s%7s%10s%9s%7s%10s\n", "family", "runs", "open", "kernels", "late", rare, "copies",
                "late", rare);
    for (size_t i = 0; i < c->families.count; i++)
        put_row(t, c->families.at[i].name, &c->families.at[i]);
    put_row(t, "all", &c->all);
    if (c->percents.count) {
        text_str(t, "\nbound over response: median ");
        put_ratio(t, c, 50);
        text_str(t, ", 95th percentile ");
        put_ratio(t, c, 95);
        text_char(t, '\n');
    }
    if (c->late.count && max_late)
        text_str(t, "\nlatest:\n");
    for (size_t i = 0; i < c->late.count && i < max_late; i++) {
        const late_operation *o = &c->late.at[i];
        char response[40], bound[40];
        units_format_time(o->response_ns, response, sizeof response);
        units_format_time(o->bound_ns, bound, sizeof bound);
        text_str(t, "  ");
        text_terminal(t, o->name);
        text_printf(t, ": %s, bound %s\n", response, bound);
    }
}

static void late_legend(text *t, const late_counts *c)
{
    text_printf(t,
                "\nopen     no bound is known\n"
                "late     ended after its bound, with the longest latencies of the GPU's file\n"
                "1/%-6lld the same, where one call in %lld may take longer than it says\n"
                "responses count from the host's call to the end, the latest that the clocks allow\n",
                (long long)c->quantile, (long long)c->quantile);
    if (c->launch_assumed)
        text_str(t, "how launch latencies vary was not measured on this GPU: one number is taken\n");
    if (c->copy_assumed)
        text_str(t, "how latencies of copies vary was not measured on this GPU: one number is taken\n");
}

#define MAX_QUANTILE 1000000000

static bool is_wanted(const args *a, const gcast_scenario *s)
{
    const char *family = args_value(a, "family"), *name = args_value(a, "scenario");
    return (!family || strcmp(family, s->family) == 0) && (!name || strcmp(name, s->workload->name) == 0);
}

static gcast_status add_corpus(const args *a, size_t index, late_counts *c, progress *shown, gcast_error *err)
{
    gcast_corpus *corpus;
    gcast_scenario *s;
    gcast_status status = gcast_corpus_open(a->operands[index], &corpus, err);
    if (status != GCAST_OK)
        return status;
    while ((status = gcast_corpus_next(corpus, &s, err)) == GCAST_OK && s) {
        progress_show(shown, ((double)index + gcast_corpus_done(corpus)) / (double)a->operand_count);
        status = is_wanted(a, s) ? late_add(c, s, err) : GCAST_OK;
        gcast_scenario_free(s);
        if (status != GCAST_OK)
            break;
    }
    gcast_corpus_close(corpus);
    return status;
}

static gcast_status add_all(const args *a, late_counts *c)
{
    progress shown;
    gcast_error err;
    gcast_status status = GCAST_OK;
    progress_start(&shown, "bounding");
    for (size_t i = 0; i < a->operand_count && status == GCAST_OK; i++)
        status = add_corpus(a, i, c, &shown, &err);
    progress_end(&shown);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status print_all(const args *a, late_counts *c, size_t max_late)
{
    output out;
    if (!c->all.runs)
        return say(GCAST_INPUT, "there is no recorded run to bound");
    late_sort(c);
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    late_table(&out.words, c, max_late);
    if (!args_has(a, "quiet"))
        late_legend(&out.words, c);
    status = output_finish(&out, GCAST_OK, NULL);
    size_t late = c->all.kernels.late + c->all.copies.late;
    if (status == GCAST_OK && late)
        return say(GCAST_NO, "%zu of %zu operations ended after their bound", late,
                   c->all.kernels.operations + c->all.copies.operations);
    return status;
}

gcast_status late_command(const args *a, const gcast_gpu *gpu)
{
    static const char *const allowed[] = {"bound", "quantile", "gpu",   "family", "scenario",
                                          "worst", "quiet",    "color", "help",   NULL};
    int64_t max_late = 5;
    late_counts c = {.gpu = gpu, .quantile = 1000};
    gcast_status status = args_only(a, "bound", allowed);
    if (status == GCAST_OK)
        status = args_int(a, "quantile", 2, MAX_QUANTILE, &c.quantile);
    if (status == GCAST_OK)
        status = args_int(a, "worst", 0, 100000, &max_late);
    if (status == GCAST_OK)
        status = add_all(a, &c);
    if (status == GCAST_OK)
        status = print_all(a, &c, (size_t)max_late);
    late_free(&c);
    return status;
}
