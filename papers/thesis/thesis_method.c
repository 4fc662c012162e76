/* Runs algorithm 2 on one release of each kernel. That stands for all releases without tasks, and if all kernels have
 * one period and everything ends before the next release. Otherwise its times are those of the first jobs; they are
 * right for jobs called before any second job, since kernels are served in the order of their calls, so a deadline that
 * these miss is missed. */
#include "papers/thesis/thesis_method.h"

#include <stdio.h>

#include "analyze/call_latency.h"
#include "base/integers.h"
#include "base/units.h"
#include "papers/thesis/thesis.h"
#include "papers/thesis/thesis_report.h"

/* Does the first release not stand for all jobs? Then `why` says why. */
static bool is_one_of_many(const gcast_workload *w, const gcast_gpu *gpu, const gcast_thesis *t, char *why, size_t size)
{
    int64_t settle_ns = max_i64(max_i64(gpu->handover_ns, gpu->switch_ns), gpu->stream_gap_ns);
    for (size_t i = 0; t->period_count && i < t->count; i++)
        if (t->periods_ns[i] != t->periods_ns[0]) {
            snprintf(why, size, "%.200s %s, so later jobs meet in other ways",
                     w->ops[t->ops[t->periods_ns[i] ? i : 0]].label,
                     t->periods_ns[i] && t->periods_ns[0] ? "has another period than the others"
                                                          : "has a period, and others have none");
            return true;
        }
    for (size_t i = 0; t->period_count && i < t->count; i++)
        if (t->completions_ns[i] - t->kernels[0].release_ns > t->periods_ns[0] - settle_ns) {
            char end[40];
            units_format_time(t->completions_ns[i], end, sizeof end);
            snprintf(why, size, "%.200s ends at %s, when other jobs are already released", w->ops[t->ops[i]].label,
                     end);
            return true;
        }
    return false;
}

static bool add_assumptions(owned_analysis *o, const gcast_thesis *t)
{
    char sentence[256];
    int64_t by_threads = t->total_threads / t->threads;
    snprintf(sentence, sizeof sentence, "the %u slots for blocks are one pool, which kernels take in launch order",
             t->pool.slots);
    bool ok = analysis_assume(o, sentence) &&
              analysis_assume(o, "calls that come due together are made in the order of the file") &&
              analysis_assume(o, "every block takes as long as its kernel says");
    if (ok && by_threads != t->pool.slots) {
        snprintf(sentence, sizeof sentence, "no block lies on two SMs: %u slots, not the %lld of the thesis' own g_max",
                 t->pool.slots, (long long)by_threads);
        ok = analysis_assume(o, sentence);
    }
    if (ok && t->period_count && o->a.complete)
        ok = analysis_assume(o, "all tasks have one period and end within it, so that every job behaves as the first");
    return ok;
}

/* The response of an op. Responses are in the order of ops, and all are of kernels if the thesis applies. */
static gcast_response *response_of(owned_analysis *o, size_t op)
{
    size_t first = 0, end = o->a.response_count;
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        if (o->responses[middle].op <= op)
            first = middle;
        else
            end = middle;
    }
    return &o->responses[first];
}

/* The earliest second release of any kernel. */
static int64_t second_release(const gcast_thesis *t)
{
    int64_t second_ns = INT64_MAX, next_ns;
    for (size_t i = 0; i < t->count; i++)
        if (t->periods_ns[i] && checked_add(t->kernels[i].release_ns, t->periods_ns[i], &next_ns))
            second_ns = min_i64(second_ns, next_ns);
    return second_ns;
}

static void fill_responses(owned_analysis *o, const gcast_workload *w, const gcast_thesis *t)
{
    int64_t second_ns = second_release(t);
    for (size_t i = 0; i < t->count; i++) {
        gcast_response *r = response_of(o, t->ops[i]);
        if (t->kernels[i].release_ns < second_ns)
            r->reached_ns = t->responses_ns[i];
        if (o->a.complete)
            r->best_ns = r->worst_ns = t->responses_ns[i];
        if (w->ops[t->ops[i]].task == GCAST_ONCE)
            r->deadline_ns = t->periods_ns[i];
    }
}

/* Fills in the analysis from `t`, which applies, and takes it over. */
static gcast_status answer(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu, gcast_thesis *t,
                           gcast_error *err)
{
    char why[512];
    o->result = t;
    if (gpu->noise_ns)
        analysis_give_up(o, "blocks may take longer by noise_ns of the GPU; the thesis needs fixed times");
    else if (is_one_of_many(w, gpu, t, why, sizeof why))
        analysis_give_up(o, why);
    fill_responses(o, w, t);
    return add_assumptions(o, t) ? GCAST_OK : gcast_error_set_memory(err);
}

/* A task without a job before the horizon, or NULL. The thesis does not cover it, as it has a release of each kernel,
 * which may delay others. */
static const gcast_task *never_released(const gcast_workload *w, int64_t horizon_ns)
{
    for (size_t i = 0; i < w->task_count && horizon_ns; i++)
        if (w->tasks[i].offset_ns >= horizon_ns)
            return &w->tasks[i];
    return NULL;
}

/* `analyze` of the method. */
static gcast_status analyze(const void *periods_ns, owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                            const gcast_analyze_options *options, gcast_error *err)
{
    gcast_thesis *t;
    char why[300];
    gcast_status status = gcast_thesis_create(w, gpu, periods_ns, &t, err);
    o->own_deadlines = periods_ns;
    if (status != GCAST_OK)
        return status;
    const gcast_task *absent = never_released(w, options->horizon_ns);
    if (absent && !t->why_not) {
        snprintf(why, sizeof why, "%.200s has no job before the horizon; the thesis needs a release of every kernel",
                 absent->name);
        analysis_give_up(o, why);
        gcast_thesis_free(t);
        return GCAST_OK;
    }
    bool is_range = call_latency_is_range(&o->a);
    if (!t->why_not && !is_range && !(options->any_order && t->count > 1))
        return answer(o, w, gpu, t, err);
    analysis_give_up(o, t->why_not ? t->why_not
                        : is_range ? call_latency_why_not(&o->a)
                                   : "calls may be made in any order; the thesis needs one order");
    gcast_thesis_free(t);
    return GCAST_OK;
}

static void free_result(void *thesis)
{
    gcast_thesis_free(thesis);
}

added_method thesis_method(const int64_t *periods_ns)
{
    return (added_method){.name = "thesis",
                          .attains = true,
                          .part = "covers one release only",
                          .data = periods_ns,
                          .analyze = analyze,
                          .free_result = free_result,
                          .table = thesis_table,
                          .legend = thesis_legend,
                          .json = thesis_json,
                          .draw = thesis_draw};
}

const gcast_thesis *gcast_answer_thesis(const gcast_answer *a)
{
    const owned_analysis *o = a ? answer_added(a) : NULL;
    return o ? o->result : NULL;
}
