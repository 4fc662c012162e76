/* The method THESIS: algorithm 2 on one release of every kernel, where that stands for
 * all of them: without tasks, or where all tasks have one period and everything is over
 * before the first of them is released again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "base/text/units.h"
#include "gridcast/thesis.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Is nothing left of this release when the next comes? */
static bool over_in_time(const gcast_thesis *t, const gcast_gpu *gpu, const int64_t *completions, size_t *late)
{
    int64_t settle = larger(larger(gpu->handover_ns, gpu->switch_ns), gpu->stream_gap_ns);
    for (size_t i = 0; t->period_ns && i < t->count; i++)
        if (completions[i] - t->kernels[0].release_ns > t->period_ns - settle) {
            *late = i;
            return false;
        }
    return true;
}

static bool assumptions(owned_analysis *o, const gcast_thesis *t)
{
    char text[256];
    int64_t by_threads = t->threads_in_all / t->threads;
    snprintf(text, sizeof text, "the %u slots that the blocks find are one pool, and kernels take them in launch order",
             t->pool.slots);
    bool ok = analysis_assume(o, text) &&
              analysis_assume(o, "calls that come due together are made in the order of the file") &&
              analysis_assume(o, "every block takes as long as its kernel says");
    if (ok && by_threads != t->pool.slots) {
        snprintf(text, sizeof text, "no block lies on two SMs: %u slots, not the %lld of the thesis' own g_max",
                 t->pool.slots, (long long)by_threads);
        ok = analysis_assume(o, text);
    }
    if (ok && t->period_ns)
        ok =
            analysis_assume(o, "all tasks have one period and are over within it, so that every job does as the first");
    return ok;
}

/* Responses are in the order of ops, kernels in that of launches. */
static void respond(owned_analysis *o, const gcast_thesis *t, const int64_t *completions)
{
    for (size_t i = 0; i < t->count; i++) {
        gcast_response *r = &o->responses[t->ops[i]]; /* every op is a kernel */
        r->best_ns = r->worst_ns = completions[i] - (t->kernels[i].release_ns - t->latency_ns);
    }
}

static gcast_status apply(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu, const gcast_thesis *t,
                          int64_t *completions, gcast_error *err)
{
    gcast_error inner;
    size_t late;
    gcast_status status = gcast_thesis_completions(&t->pool, t->kernels, t->count, NULL, completions, NULL, &inner);
    if (status == GCAST_RESOURCE)
        return gcast_error_set_memory(err);
    if (status != GCAST_OK) {
        analysis_give_up(o, inner.message);
        return GCAST_OK;
    }
    if (!over_in_time(t, gpu, completions, &late)) {
        char why[512], end[40];
        units_format_time(completions[late], end, sizeof end);
        snprintf(why, sizeof why,
                 "%.200s ends at %s, when other jobs are released already: the thesis looks at one release only",
                 w->ops[t->ops[late]].label, end);
        analysis_give_up(o, why);
        return GCAST_OK;
    }
    respond(o, t, completions);
    return assumptions(o, t) ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status analyze_thesis(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                            const gcast_analyze_options *options, gcast_error *err)
{
    gcast_thesis *t;
    gcast_status status = gcast_thesis_create(w, gpu, &t, err);
    if (status != GCAST_OK)
        return status;
    if (t->why_not) {
        analysis_give_up(o, t->why_not);
    } else if (options->any_order && t->count > 1) {
        analysis_give_up(o, "the thesis has one order of launches, and here any may be");
    } else {
        int64_t *completions = malloc((t->count + 1) * sizeof *completions);
        status = completions ? apply(o, w, gpu, t, completions, err) : gcast_error_set_memory(err);
        free(completions);
    }
    gcast_thesis_free(t);
    return status;
}
