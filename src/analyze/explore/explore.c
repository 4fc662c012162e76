/* Method explore: a search over all executions of a workload whose durations and releases are intervals, after
 * schedule-abstraction graphs (Nasri and Brandenburg, RTSS 2017; for parallel jobs Nelissen et al., ECRTS 2022), but
 * with blocks that start one by one in FIFO queues. docs/explore.md says why it is sound. This file chooses the
 * searches and the window of releases, and fills in the analysis. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/call_latency.h"
#include "analyze/exact/utilization.h"
#include "analyze/explore/cover.h"
#include "analyze/explore/events/event_search.h"
#include "analyze/explore/explore_jobs.h"
#include "analyze/explore/intervals/interval_search.h"
#include "analyze/explore/problem.h"
#include "base/integers.h"
#include "model/gpu.h"
#include "model/occupancy.h"

#define SMALL_STATES 4000     /* a workload that needs no more states by events is small */
#define FIRST_PERIODS 1       /* hyperperiods that are searched first */
#define MAX_PERIODS 32        /* most hyperperiods that are searched until what the GPU remembers repeats */
#define EVENT_STATES 100000   /* limit of states by events if there is a coarser search */
#define EVENT_PART_OF_TIME 12 /* such a search may take one part in so many of the remaining time */

/* The next functions choose the window of releases, and decide whether its jobs stand for all jobs. Releases repeat
 * with the hyperperiod from repeat_start_ns on. If, at some later time and again a hyperperiod after it, everything
 * released before is complete in all executions, then nothing else ever happens than between the two. */

/* Sets window_ns, repeat_start_ns and hyperperiod_ns. False: with a refusal. */
static bool set_window(explore_problem *p)
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

/* The nominal release of a job. */
static int64_t release_of(const explore_problem *p, uint32_t job)
{
    const gcast_op *op = &p->w->ops[p->jobs[job].op];
    return p->jobs[job].call_lo - (op->task == GCAST_ONCE ? 0 : op->release_ns);
}

/* A job's release, and the latest end of all jobs released up to it. */
typedef struct release_end {
    int64_t release_ns; /* of the job */
    int64_t end_ns;     /* when all jobs released up to then are complete */
} release_end;

static int by_release(const void *a, const void *b)
{
    const release_end *x = a, *y = b;
    return x->release_ns < y->release_ns ? -1 : x->release_ns > y->release_ns;
}

/* Is everything that was released before time t complete at t, with the hand-over, gaps or switch after it? If the GPU
 * remembers something, it must be complete before t, so that there is an idle state before the call at t. */
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

/* The number of jobs that are called before time t, at which the GPU is idle. */
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

/* Does the GPU have this memory at one of the first `count` boundaries, which are a hyperperiod apart, from t on? */
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

/* Did every memory of boundary `count` occur at an earlier boundary? */
static bool memories_repeat(const explore_problem *p, int64_t t, int64_t count)
{
    uint32_t called = called_before(p, t + count * p->hyperperiod_ns);
    for (size_t i = 0; i < p->memories.count; i++)
        if (p->memories.at[i].called_count == called && !is_remembered(p, &p->memories.at[i], t, count))
            return false;
    return true;
}

/* Is the GPU idle at t and at each hyperperiod after it, until it remembers only what it remembered at one of these
 * times before? */
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
            start = max_i64(start, p->jobs[i].call_lo + 1); /* its host may call it after its release */
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

/* After a search: do its jobs stand for all jobs? If so, adds that as an assumption to the analysis. False: with a
 * refusal, or without memory. */
static bool stands_for_all(explore_problem *p)
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
        return explore_refuse(p, "the state that earlier blocks or copies leave on the GPU does not repeat soon; give "
                                 "a horizon to analyze only the jobs before it");
    if (!found)
        return explore_refuse(p, "the GPU may be busy at every release, so one hyperperiod does not represent all; "
                                 "give a horizon to analyze only the jobs before it");
    return analysis_assume(p->out, "all work is complete at some release, and again one hyperperiod later") &&
           (!p->remembers ||
            analysis_assume(p->out, "the state that earlier blocks and copies leave on the GPU then repeats"));
}

/* Is there a copy whose longest time assumes copies in the other direction all the time? */
static bool has_slowed_copies(const explore_problem *p)
{
    for (uint32_t i = 0; i < p->job_count; i++) {
        const explore_job *j = &p->jobs[i];
        if (j->engine && p->w->ops[j->op].max_ns == GCAST_UNKNOWN_NS && j->min_ns + p->noise_ns != j->max_ns)
            return true;
    }
    return false;
}

static bool has_sporadic(const gcast_workload *w)
{
    for (size_t i = 0; i < w->task_count; i++)
        if (w->tasks[i].sporadic)
            return true;
    return false;
}

static const char *search_sentence(explore_problem *p)
{
    if (p->by_events)
        return "every order of events is followed, block by block";
    if (p->shares)
        return "blocks take shares of SMs, on whichever SM they are";
    snprintf(p->text, sizeof p->text, "blocks take slots of a pool, %zu in all", p->slot_count[0]);
    return p->text;
}

static const char *connections_sentence(explore_problem *p)
{
    snprintf(p->text, sizeof p->text,
             "a kernel may wait in its connection behind any earlier kernel: %zu streams have kernels, and there are "
             "%d connections",
             p->kernel_streams, connections_in_force(p->w, p->gpu));
    return p->text;
}

/* False without memory. */
static bool add_assumptions(explore_problem *p)
{
    owned_analysis *o = p->out;
    bool ok = analysis_assume_model(o, p->w, p->gpu, p->options);
    if (ok && (p->level_count || p->by_events))
        ok = analysis_assume(o, search_sentence(p));
    if (ok && has_sporadic(p->w))
        ok = analysis_assume(
            o,
            "jobs of sporadic tasks are released at any times at least their period apart, at most their jitter later");
    if (ok && p->has_bounded_burst)
        ok = analysis_assume(o, "if many jobs may arrive in any order, their orders are not explored: the work of all "
                                "of them is the bound");
    if (ok && p->connections_shared)
        ok = analysis_assume(o, connections_sentence(p));
    if (ok && carveout_matters(p->gpu, p->w))
        ok = analysis_assume(o, "a block may wait until an SM is empty, for its size of shared memory");
    if (ok && p->max_spin_ns)
        ok = analysis_assume(o, "a block may starve beside blocks that spin, whichever SM it is on");
    if (ok && has_slowed_copies(p))
        ok = analysis_assume(o, "copies may be slowed down all the time by copies in the other direction");
    return ok;
}

static void fill_in_responses(explore_problem *p)
{
    owned_analysis *o = p->out;
    for (size_t i = 0; i < o->a.response_count; i++) {
        gcast_response *r = &o->responses[i];
        if (p->max_response[r->op] < 0) {
            explore_refuse(p, "an operation has no job before the horizon; give a later horizon");
            return;
        }
        r->best_ns = p->min_response[r->op];
        r->worst_ns = p->max_response[r->op];
    }
}

static explore_problem make_problem(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                                    const gcast_analyze_options *options, time_limit limit, gcast_error *err)
{
    return (explore_problem){
        .w = w, .gpu = gpu, .options = options, .limit = limit, .out = o, .err = err, .status = GCAST_OK};
}

static gcast_status free_problem(explore_problem *p)
{
    vec_free(&p->memories);
    arena_free(&p->memory);
    return p->status;
}

/* Searches by events or by intervals, as the problem says, and fills in the analysis. False: with a refusal or a
 * status. */
static bool search(explore_problem *p)
{
    if (p->by_events)
        p->slot_count[0] = 1; /* there are no slots, but the check of sums needs one */
    if (!set_window(p) || !explore_make_jobs(p) || !(p->by_events ? explore_by_events : explore_by_intervals)(p))
        return false;
    if (!add_assumptions(p) || !stands_for_all(p))
        p->status = p->refusal ? p->status : gcast_error_set_memory(p->err);
    else
        fill_in_responses(p);
    return p->status == GCAST_OK && !p->refusal;
}

/* One way to search. */
typedef struct search_way {
    bool by_events;         /* by events, not by intervals */
    bool states_stay_apart; /* two states merge only if one is within the other */
    uint64_t max_states;    /* limit of states; 0: as in the options */
    int64_t part_of_time;   /* it may take one part in so many of the remaining time; 0: all of it */
} search_way;

/* Searches one way with this number of hyperperiods, and fills in the analysis. False: with a refusal or a status, and
 * nothing is filled in; *may_extend: more hyperperiods might help. */
static bool search_window(explore_problem *p, const search_way *way, const gcast_analyze_options *options,
                          time_limit limit, int64_t window_periods, bool *may_extend)
{
    owned_analysis *o = p->out;
    explore_problem attempt = make_problem(o, p->w, p->gpu, options, limit, p->err);
    attempt.is_pool = p->is_pool;
    attempt.by_events = way->by_events;
    attempt.states_stay_apart = way->states_stay_apart;
    attempt.window_periods = window_periods;
    bool done = (way->by_events || explore_covers_slots(&attempt)) && search(&attempt);
    *may_extend = attempt.may_extend;
    p->refusal = NULL;
    if (!done) {
        o->a.states = 0;
        o->assumptions.count = o->a.assumption_count = 0;
        if (attempt.refusal) {
            snprintf(p->text, sizeof p->text, "%s", attempt.refusal);
            p->refusal = p->text;
        }
    }
    p->status = free_problem(&attempt);
    return done;
}

/* Searches one way, and fills in the analysis. False: with a refusal or a status, and nothing is filled in. */
static bool try_search(explore_problem *p, search_way way)
{
    gcast_analyze_options options = *p->options;
    if (way.max_states)
        options.max_states = min_u64(way.max_states, explore_max_states(p));
    time_limit limit = p->limit;
    if (way.part_of_time > 1)
        limit = limit_from_now(limit_left_ms(&p->limit) / way.part_of_time + 1);
    bool done = false, may_extend = true;
    for (int64_t periods = FIRST_PERIODS; periods <= MAX_PERIODS && may_extend && !done; periods *= 2)
        done = search_window(p, &way, &options, limit, periods, &may_extend);
    return done;
}

/* Searches a workload whose blocks are no pool of slots, or where something else decides times: first event by event,
 * if that covers it, then by shares. False: with a refusal or a status. */
static bool search_mixed(explore_problem *p)
{
    explore_problem probe = make_problem(p->out, p->w, p->gpu, p->options, p->limit, p->err);
    bool has_slots = explore_covers_slots(&probe);
    char needs[sizeof p->text];
    snprintf(needs, sizeof needs, "%s", probe.refusal ? probe.refusal : "");
    p->status = free_problem(&probe);
    if (p->status != GCAST_OK)
        return false;
    bool has_events = !carveout_matters(p->gpu, p->w);
    if (!has_slots) {
        if (has_events && try_search(p, (search_way){.by_events = true}))
            return true;
        if (p->status != GCAST_OK)
            return false;
        char reason[sizeof p->text];
        snprintf(reason, sizeof reason, "%s",
                 has_events ? p->refusal : "a kernel has carveout driver, which is not followed event by event");
        snprintf(p->text, sizeof p->text, "%.130s; a coarser search is not possible: %.150s", reason, needs);
        p->refusal = p->text;
        return false;
    }
    bool begins_by_events = has_events && !p->gpu->noise_ns && !p->options->coarse;
    if (begins_by_events &&
        try_search(p, (search_way){.by_events = true, .max_states = EVENT_STATES, .part_of_time = EVENT_PART_OF_TIME}))
        return true;
    return p->status == GCAST_OK && try_search(p, (search_way){0});
}

/* Is no engine overloaded if all durations are the longest? False: with a refusal. */
static bool is_bounded(explore_problem *p)
{
    char why[200];
    if (!p->w->task_count || p->options->horizon_ns > 0 || !exact_overload(p->w, p->gpu, true, why, sizeof why))
        return true;
    snprintf(p->text, sizeof p->text,
             "with the longest durations %s; give a horizon to analyze only the jobs before it", why);
    return explore_refuse(p, p->text);
}

gcast_status analyze_explore(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                             const gcast_analyze_options *options, gcast_error *err)
{
    explore_problem p = make_problem(o, w, gpu, options, limit_from_now(options->max_ms), err);
    bool is_covered = explore_covers_any(&p) && is_bounded(&p);
    if (is_covered) {
        p.is_pool = explore_covers_pool(&p);
        p.refusal = NULL;
    }
    bool is_range = call_latency_is_range(&o->a), has_events = !carveout_matters(gpu, w);
    const char *needs_events = explore_needs_events(&p);
    if (is_covered && is_range && !has_events)
        is_covered = explore_refuse(&p, "launch_latency_ns is a range and a kernel has carveout driver, which it does "
                                        "not cover together; give one latency, or another carveout");
    else if (is_covered && needs_events && !has_events) {
        snprintf(p.text, sizeof p.text,
                 "%s, and a kernel has carveout driver, which it does not cover together; remove one of the two",
                 needs_events);
        is_covered = explore_refuse(&p, p.text);
    }
    search_way small = {.by_events = true, .states_stay_apart = true, .max_states = SMALL_STATES};
    bool done = is_covered && p.status == GCAST_OK && !options->coarse && has_events && try_search(&p, small);
    if (is_covered && p.status == GCAST_OK && !done)
        done = is_range || needs_events ? try_search(&p, (search_way){.by_events = true})
               : p.is_pool              ? try_search(&p, (search_way){0})
                                        : search_mixed(&p);
    if (p.status == GCAST_OK && p.refusal)
        analysis_give_up(o, p.refusal);
    return free_problem(&p);
}
