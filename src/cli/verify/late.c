#include "cli/verify/late.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/minmax.h"
#include "gridcast/analyze.h"
#include "model/workload/edit.h"

/* The analyses of one run. */
typedef struct run_bounds {
    gcast_analysis *longest;  /* with the longest latencies of the GPU's file */
    gcast_analysis *quantile; /* with latencies that one call in so many exceeds */
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

gcast_status late_add(late_counts *c, const gcast_scenario *s, gcast_error *err)
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

void late_sort(late_counts *c)
{
    if (c->late.count)
        qsort(c->late.at, c->late.count, sizeof *c->late.at, latest_first);
    if (c->percents.count)
        qsort(c->percents.at, c->percents.count, sizeof *c->percents.at, compare_i64);
}

void late_free(late_counts *c)
{
    for (size_t i = 0; i < c->families.count; i++)
        free(c->families.at[i].name);
    for (size_t i = 0; i < c->late.count; i++)
        free(c->late.at[i].name);
    vec_free(&c->families);
    vec_free(&c->late);
    vec_free(&c->percents);
}
