/* Which jobs of tasks are looked at. Releases repeat with the hyperperiod from `start` on. If at some time
 * from there on everything released before is complete in all executions, and a hyperperiod later so again, what
 * happens between the two is all that ever happens, and its responses stand for those of all jobs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/explore.h"
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
    if (!gcast_workload_hyperperiod(w, &x->period) || !checked_mul(x->period, 2, &twice) ||
        !checked_add(x->start, twice, &x->window) || x->window > EXPLORE_LATEST)
        return explore_refuse(x, "the least common multiple of the periods is too long; give a horizon");
    return true;
}

/* A job's release, without jitter. */
static int64_t nominal(const explore *x, uint32_t job)
{
    const gcast_op *op = &x->w->ops[x->jobs[job].op];
    return x->jobs[job].first - (op->task == GCAST_ONCE ? 0 : op->release_ns);
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Is everything released before t complete at t, and has left no trace? */
static bool idle(const explore *x, int64_t t)
{
    int64_t trace = later(x->handover, later(x->gap, x->switching));
    for (uint32_t i = 0; i < x->job_count; i++)
        if (nominal(x, i) < t && x->ends[i] + trace > t)
            return false;
    return true;
}

/* The times to ask for are those of releases: until the next one nothing changes for the worse. */
static bool find_idle(const explore *x, int64_t *releases)
{
    size_t n = 0;
    int64_t start = x->start;
    for (uint32_t i = 0; i < x->job_count; i++)
        if (x->w->ops[x->jobs[i].op].task == GCAST_ONCE)
            start = later(start, x->jobs[i].first + 1); /* its host called it late */
    for (uint32_t i = 0; i < x->job_count; i++)
        if (nominal(x, i) >= start && nominal(x, i) + x->period <= x->window)
            releases[n++] = nominal(x, i);
    qsort(releases, n, sizeof *releases, by_time);
    for (size_t i = 0; i < n; i++)
        if ((!i || releases[i] != releases[i - 1]) && idle(x, releases[i]) && idle(x, releases[i] + x->period))
            return true;
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
    int64_t *releases = malloc(((size_t)x->job_count + 1) * sizeof *releases);
    if (!releases)
        return false;
    bool found = find_idle(x, releases);
    free(releases);
    if (!found)
        return explore_refuse(x,
                              "the GPU is not surely idle at any release, so that one hyperperiod does not stand for "
                              "all; give a horizon to look at a part");
    return analysis_assume(x->out, "everything is complete at some release, and so again a hyperperiod later");
}
