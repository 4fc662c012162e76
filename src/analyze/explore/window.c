/* Which jobs of tasks are looked at. Releases repeat with the hyperperiod from `start` on. If at some time
 * from there on everything released before is complete in all executions, and a hyperperiod later so again, what
 * happens between the two is all that ever happens, and its responses stand for those of all jobs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/explore/explore.h"
#include "base/checked.h"

bool explore_window(explore *x)
{
    const gcast_workload *w = x->w;
    int64_t twice;
    x->window = x->options->horizon_ns;
    if (!w->task_count || x->window > 0)
        return x->window <= EXPLORE_LATEST || explore_refuse(x, "the horizon is too long");
    for (size_t i = 0; i < w->task_count; i++)
        x->start = later(x->start, w->tasks[i].offset_ns);
    for (size_t i = 0; i < w->once_count; i++)
        x->start = later(x->start, w->ops[i].release_ns + 1);
    if (!gcast_workload_hyperperiod(w, &x->period) || !checked_mul(x->period, 2, &twice) || twice > EXPLORE_LATEST)
        return explore_refuse(x, "the least common multiple of the periods is too long; give a horizon");
    if (!checked_add(x->start, twice, &x->window) || x->window > EXPLORE_LATEST)
        return explore_refuse(x,
                              "two hyperperiods after the last first release end at 2^61 ns or later; give a horizon");
    return true;
}

/* A job's release, without jitter. */
static int64_t nominal(const explore *x, uint32_t job)
{
    const gcast_op *op = &x->w->ops[x->jobs[job].op];
    return x->jobs[job].first - (op->task == GCAST_ONCE ? 0 : op->release_ns);
}

/* A job's release, and its latest end; then that of all jobs up to it. */
typedef struct span {
    int64_t release, end;
} span;

static int by_release(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return x->release < y->release ? -1 : x->release > y->release;
}

/* Is everything released before t complete at t, and has left no trace? */
static bool idle(const explore *x, const span *spans, int64_t t)
{
    int64_t trace = later(later(x->handover, x->copy_gap), later(x->gap, x->switching));
    uint32_t from = 0, to = x->job_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (spans[middle].release < t)
            from = middle + 1;
        else
            to = middle;
    }
    return !from || spans[from - 1].end + trace <= t;
}

/* The times to ask for are those of releases: until the next one nothing changes for the worse. */
static bool find_idle(const explore *x, span *spans)
{
    int64_t start = x->start;
    for (uint32_t i = 0; i < x->job_count; i++) {
        spans[i] = (span){nominal(x, i), x->ends[i]};
        if (x->w->ops[x->jobs[i].op].task == GCAST_ONCE)
            start = later(start, x->jobs[i].first + 1); /* its host called it late */
    }
    qsort(spans, x->job_count, sizeof *spans, by_release);
    for (uint32_t i = 1; i < x->job_count; i++)
        spans[i].end = later(spans[i].end, spans[i - 1].end);
    for (uint32_t i = 0; i < x->job_count; i++) {
        int64_t t = spans[i].release;
        if (t >= start && t + x->period <= x->window && idle(x, spans, t) && idle(x, spans, t + x->period))
            return true;
    }
    return false;
}

bool explore_repeats(explore *x)
{
    if (!x->w->task_count)
        return true;
    if (!x->period) {
        snprintf(x->text, sizeof x->text, "only jobs released before %" PRId64 " ns count", x->window);
        return analysis_assume(x->out, x->text);
    }
    span *spans = malloc(((size_t)x->job_count + 1) * sizeof *spans);
    if (!spans)
        return false;
    bool found = find_idle(x, spans);
    free(spans);
    if (!found)
        return explore_refuse(x,
                              "the GPU is not surely idle at any release, so that one hyperperiod does not stand for "
                              "all; give a horizon to look at a part");
    return analysis_assume(x->out, "everything is complete at some release, and so again a hyperperiod later");
}
