/* Algorithm 2 on one release of every kernel. That stands for all of them without tasks, and where all tasks have one
 * period and everything has ended before the next release. */
#include "analyze/thesis/thesis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "gridcast/thesis.h"

/* Is nothing left of this release when the next one comes? *late: a kernel of which something is. */
static bool settles_in_period(const gcast_thesis *t, const gcast_gpu *gpu, const int64_t *completions, size_t *late)
{
    int64_t settle_ns = max_i64(max_i64(gpu->handover_ns, gpu->switch_ns), gpu->stream_gap_ns);
    for (size_t i = 0; t->period_ns && i < t->count; i++)
        if (completions[i] - t->kernels[0].release_ns > t->period_ns - settle_ns) {
            *late = i;
            return false;
        }
    return true;
}

static bool add_assumptions(owned_analysis *o, const gcast_thesis *t)
{
    char text[256];
    int64_t by_threads = t->total_threads / t->threads;
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
        ok = analysis_assume(o, "all tasks have one period and end within it, so that every job behaves as the first");
    return ok;
}

/* Responses are in the order of ops, kernels in that of launches. */
static void fill_responses(owned_analysis *o, const gcast_thesis *t, const int64_t *completions)
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
    if (!settles_in_period(t, gpu, completions, &late)) {
        char why[512], end[40];
        units_format_time(completions[late], end, sizeof end);
        snprintf(why, sizeof why,
                 "%.200s ends at %s, when other jobs are released already: the thesis looks at one release only",
                 w->ops[t->ops[late]].label, end);
        analysis_give_up(o, why);
        return GCAST_OK;
    }
    fill_responses(o, t, completions);
    return add_assumptions(o, t) ? GCAST_OK : gcast_error_set_memory(err);
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
