/* Releases repeat with the hyperperiod from repeat_start_ns on. If at some time from there on everything that was
 * released before is complete in all executions, and a hyperperiod later again, then what happens between the two is
 * all that ever happens, and its responses stand for those of all jobs. */
#include "analyze/explore/problem/window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/minmax.h"

bool explore_set_window(explore_problem *p)
{
    const gcast_workload *w = p->w;
    int64_t length;
    p->window_ns = p->options->horizon_ns;
    if (!w->task_count || p->window_ns > 0)
        return p->window_ns <= EXPLORE_MAX_TIME || explore_refuse(p, "the horizon is too long");
    for (size_t i = 0; i < w->task_count; i++)
        p->repeat_start_ns = max_i64(p->repeat_start_ns, w->tasks[i].offset_ns);
    for (size_t i = 0; i < w->once_count; i++)
        p->repeat_start_ns = max_i64(p->repeat_start_ns, w->ops[i].release_ns + 1);
    if (!gcast_workload_hyperperiod(w, &p->hyperperiod_ns) ||
        !checked_mul(p->hyperperiod_ns, p->window_periods, &length) || length > EXPLORE_MAX_TIME)
        return explore_refuse(p, "the least common multiple of the periods is too long; give a horizon");
    if (!checked_add(p->repeat_start_ns, length, &p->window_ns) || p->window_ns > EXPLORE_MAX_TIME)
        return explore_refuse(p,
                              "the hyperperiods after the last first release end at 2^61 ns or later; give a horizon");
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

/* Is everything that was released before time t complete at t, with the hand-over, gaps or switch after it? Where the
 * GPU remembers something, it is complete before t, so that there is an idle state between that and the call at t. */
static bool is_idle(const explore_problem *p, const release_end *ends, int64_t t)
{
    int64_t after_end = max_i64(max_i64(p->handover_ns, p->copy_gap_ns), max_i64(p->stream_gap_ns, p->switch_ns));
    if (p->event_count)
        after_end = max_i64(after_end, p->event_gap_ns);
    uint32_t low = 0, high = p->job_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ends[middle].release_ns < t)
            low = middle + 1;
        else
            high = middle;
    }
    return !low || ends[low - 1].end_ns + after_end + p->remembers <= t;
}

/* How many jobs are called before time t, if the GPU is idle at t. */
static uint32_t called_before(const explore_problem *p, int64_t t)
{
    uint32_t low = 0, high = p->job_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->jobs[middle].call_lo < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Is there such a memory at one of the first `count` boundaries, which are a hyperperiod apart from time t on? */
static bool is_remembered(const explore_problem *p, const explore_memory *memory, int64_t t, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t called = called_before(p, t + i * p->hyperperiod_ns);
        for (size_t k = 0; k < p->memories.count; k++) {
            const explore_memory *m = &p->memories.at[k];
            if (m->called_count == called && m->hash == memory->hash && m->bytes == memory->bytes &&
                memcmp(m->words, memory->words, m->bytes) == 0)
                return true;
        }
    }
    return false;
}

/* Is every memory at boundary `count` one of those before? */
static bool memories_repeat(const explore_problem *p, int64_t t, int64_t count)
{
    uint32_t called = called_before(p, t + count * p->hyperperiod_ns);
    for (size_t i = 0; i < p->memories.count; i++)
        if (p->memories.at[i].called_count == called && !is_remembered(p, &p->memories.at[i], t, count))
            return false;
    return true;
}

/* Is the GPU idle at time t and again a hyperperiod later, and so on until it remembers nothing that it has not
 * remembered at one of these times before? */
static bool repeats_from(explore_problem *p, const release_end *ends, int64_t t)
{
    if (!is_idle(p, ends, t))
        return false;
    for (int64_t i = 1; t + i * p->hyperperiod_ns <= p->window_ns; i++) {
        if (!is_idle(p, ends, t + i * p->hyperperiod_ns))
            return false;
        if (!p->remembers || memories_repeat(p, t, i))
            return true;
        p->memory_grows = true;
    }
    return false;
}

/* Is the GPU idle at a release, and again a hyperperiod later? Only releases need to be tried: a GPU that is idle at
 * some time is idle at the next release, too. */
static bool find_idle(explore_problem *p, release_end *ends)
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
        if (ends[i].release_ns >= start && repeats_from(p, ends, ends[i].release_ns))
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
    p->may_extend = !found && (p->memory_grows || p->window_periods == 1);
    if (!found && p->memory_grows)
        return explore_refuse(p,
                              "what the GPU remembers of blocks or copies that went before does not repeat soon; give "
                              "a horizon to look at a part");
    if (!found)
        return explore_refuse(p,
                              "the GPU is not surely idle at any release, so that one hyperperiod does not stand for "
                              "all; give a horizon to look at a part");
    return analysis_assume(p->out, "everything is complete at some release, and so again a hyperperiod later") &&
           (!p->remembers ||
            analysis_assume(p->out, "what the GPU remembers of earlier blocks and copies then repeats"));
}
