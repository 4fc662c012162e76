/* Releases repeat with the hyperperiod from repeat_start_ns on. If at some time from there on everything that was
 * released before is complete in all executions, and a hyperperiod later again, then what happens between the two is
 * all that ever happens, and its responses stand for those of all jobs. */
#include "analyze/explore/problem/window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/minmax.h"

bool explore_set_window(explore_problem *p)
{
    const gcast_workload *w = p->w;
    int64_t two_hyperperiods;
    p->window_ns = p->options->horizon_ns;
    if (!w->task_count || p->window_ns > 0)
        return p->window_ns <= EXPLORE_MAX_TIME || explore_refuse(p, "the horizon is too long");
    for (size_t i = 0; i < w->task_count; i++)
        p->repeat_start_ns = max_i64(p->repeat_start_ns, w->tasks[i].offset_ns);
    for (size_t i = 0; i < w->once_count; i++)
        p->repeat_start_ns = max_i64(p->repeat_start_ns, w->ops[i].release_ns + 1);
    if (!gcast_workload_hyperperiod(w, &p->hyperperiod_ns) || !checked_mul(p->hyperperiod_ns, 2, &two_hyperperiods) ||
        two_hyperperiods > EXPLORE_MAX_TIME)
        return explore_refuse(p, "the least common multiple of the periods is too long; give a horizon");
    if (!checked_add(p->repeat_start_ns, two_hyperperiods, &p->window_ns) || p->window_ns > EXPLORE_MAX_TIME)
        return explore_refuse(p,
                              "two hyperperiods after the last first release end at 2^61 ns or later; give a horizon");
    return true;
}

/* A job's release, without jitter. */
static int64_t release_of(const explore_problem *p, uint32_t job)
{
    const gcast_op *op = &p->w->ops[p->jobs[job].op];
    return p->jobs[job].call_lo - (op->task == GCAST_ONCE ? 0 : op->release_ns);
}

/* A job's release, and the latest end of all jobs up to it in the order of releases. */
typedef struct release_end {
    int64_t release_ns; /* when the job is released */
    int64_t end_ns;     /* when all these jobs are complete */
} release_end;

static int by_release(const void *a, const void *b)
{
    const release_end *x = a, *y = b;
    return x->release_ns < y->release_ns ? -1 : x->release_ns > y->release_ns;
}

/* Is everything that was released before time t complete at t, with the hand-over, gap or switch after it? */
static bool is_idle(const explore_problem *p, const release_end *ends, int64_t t)
{
    int64_t after_end = max_i64(max_i64(p->handover_ns, p->copy_gap_ns), max_i64(p->stream_gap_ns, p->switch_ns));
    uint32_t low = 0, high = p->job_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ends[middle].release_ns < t)
            low = middle + 1;
        else
            high = middle;
    }
    return !low || ends[low - 1].end_ns + after_end <= t;
}

/* Is the GPU idle at a release, and again a hyperperiod later? Only releases need to be tried: a GPU that is idle at
 * some time is idle at the next release, too. */
static bool find_idle(const explore_problem *p, release_end *ends)
{
    int64_t start = p->repeat_start_ns;
    for (uint32_t i = 0; i < p->job_count; i++) {
        ends[i] = (release_end){release_of(p, i), p->max_end[i]};
        if (p->w->ops[p->jobs[i].op].task == GCAST_ONCE)
            start = max_i64(start, p->jobs[i].call_lo + 1); /* its host may have called it after its release */
    }
    qsort(ends, p->job_count, sizeof *ends, by_release);
    for (uint32_t i = 1; i < p->job_count; i++)
        ends[i].end_ns = max_i64(ends[i].end_ns, ends[i - 1].end_ns);
    for (uint32_t i = 0; i < p->job_count; i++) {
        int64_t t = ends[i].release_ns;
        if (t >= start && t + p->hyperperiod_ns <= p->window_ns && is_idle(p, ends, t) &&
            is_idle(p, ends, t + p->hyperperiod_ns))
            return true;
    }
    return false;
}

bool explore_stands_for_all(explore_problem *p)
{
    if (!p->w->task_count)
        return true;
    if (!p->hyperperiod_ns) {
        snprintf(p->text, sizeof p->text, "only jobs released before %" PRId64 " ns count", p->window_ns);
        return analysis_assume(p->out, p->text);
    }
    release_end *ends = malloc(((size_t)p->job_count + 1) * sizeof *ends);
    if (!ends)
        return false;
    bool found = find_idle(p, ends);
    free(ends);
    if (!found)
        return explore_refuse(p,
                              "the GPU is not surely idle at any release, so that one hyperperiod does not stand for "
                              "all; give a horizon to look at a part");
    return analysis_assume(p->out, "everything is complete at some release, and so again a hyperperiod later");
}
