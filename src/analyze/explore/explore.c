/* Method explore: a search over all executions of a workload whose durations and releases are
 * intervals, after schedule-abstraction graphs (Nasri and Brandenburg, RTSS 2017; for parallel jobs Nelissen et al.,
 * ECRTS 2022), but of blocks that start one by one in FIFO queues. docs/explore.md says why it is sound. This file
 * chooses the search, and makes the analysis of its results. */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/call_latency.h"
#include "analyze/exact/utilization.h"
#include "analyze/explore/events/event_search.h"
#include "analyze/explore/intervals/interval_search.h"
#include "analyze/explore/problem/cover.h"
#include "analyze/explore/problem/jobs.h"
#include "analyze/explore/problem/search_limits.h"
#include "analyze/explore/problem/window.h"
#include "base/minmax.h"
#include "model/gpu/carveout.h"

#define SMALL_STATES 4000     /* a system that takes no more states by events is small */
#define FIRST_PERIODS 1       /* hyperperiods that are searched */
#define MAX_PERIODS 32        /* hyperperiods, until what the GPU remembers repeats */
#define EVENT_STATES 100000   /* by events, where there is a coarser search */
#define EVENT_PART_OF_TIME 12 /* of the time that is left, where there is a coarser search */

/* Is there a copy whose longest time counts copies the other way all the time? */
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

/* How blocks are searched. */
static const char *search_sentence(explore_problem *p)
{
    if (p->by_events)
        return "every order of events is followed, block by block";
    if (p->shares)
        return "blocks take shares of SMs, wherever they are placed";
    snprintf(p->text, sizeof p->text, "blocks take slots of a pool, %zu in all", p->slot_count[0]);
    return p->text;
}

static const char *connections_sentence(explore_problem *p)
{
    snprintf(p->text, sizeof p->text,
             "a kernel may wait in its connection behind any kernel called before it, as %zu streams have kernels and "
             "there are %d connections",
             p->kernel_streams, p->w->connections >= 0 ? p->w->connections : p->gpu->connections);
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
        ok = analysis_assume(o, "jobs of sporadic tasks are released at any times at least their period apart, late by "
                                "at most their jitter");
    if (ok && p->has_bounded_burst)
        ok = analysis_assume(o,
                             "orders of many jobs that may arrive in any order are bounded by the work of all of them, "
                             "not explored");
    if (ok && p->connections_shared)
        ok = analysis_assume(o, connections_sentence(p));
    if (ok && carveout_matters(p->gpu, p->w))
        ok = analysis_assume(o, "a block may wait until an SM is empty, for its size of shared memory");
    if (ok && p->max_spin_ns)
        ok = analysis_assume(o, "a block may starve beside blocks that spin, whichever SM it is on");
    if (ok && has_slowed_copies(p))
        ok = analysis_assume(o, "copies may be slowed down by those the other way all the time");
    return ok;
}

static void fill_in_responses(explore_problem *p)
{
    owned_analysis *o = p->out;
    for (size_t i = 0; i < o->a.response_count; i++) {
        gcast_response *r = &o->responses[i];
        if (p->max_response[r->op] < 0) {
            explore_refuse(p, "an op has no job before the horizon; give a later one");
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

/* Searches the way that the problem says, and fills in the analysis. False: with a refusal or a status. */
static bool search(explore_problem *p)
{
    if (p->by_events)
        p->slot_count[0] = 1; /* slots are not used, but times must fit as with one slot */
    if (!explore_set_window(p) || !explore_make_jobs(p) ||
        !(p->by_events ? explore_by_events : explore_by_intervals)(p))
        return false;
    if (!add_assumptions(p) || !explore_stands_for_all(p))
        p->status = p->refusal ? p->status : gcast_error_set_memory(p->err);
    else
        fill_in_responses(p);
    return p->status == GCAST_OK && !p->refusal;
}

/* One way to search a problem. */
typedef struct search_way {
    bool by_events;         /* by events, not by intervals */
    bool states_stay_apart; /* two states become one only where one is within the other */
    uint64_t max_states;    /* the search gives up after this many; 0: as the options say */
    int64_t part_of_time;   /* it may take this part of the time that is left */
} search_way;

/* Searches one way and this number of hyperperiods, and fills in the analysis. False: with a refusal or a status, and
 * nothing is filled in; *may_extend says whether more hyperperiods might help. */
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

/* Blocks are no pool of slots, or something else decides times. Of the searches that cover it, the closest is tried
 * first. False: with a refusal or a status. */
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
        snprintf(p->text, sizeof p->text, "%.130s; there is no coarser search, as %.150s", reason, needs);
        p->refusal = p->text;
        return false;
    }
    bool begins_by_events = has_events && !p->gpu->noise_ns && !p->options->coarse;
    if (begins_by_events &&
        try_search(p, (search_way){.by_events = true, .max_states = EVENT_STATES, .part_of_time = EVENT_PART_OF_TIME}))
        return true;
    return p->status == GCAST_OK && try_search(p, (search_way){0});
}

/* Is there enough of everything if all durations are the longest? False: with a refusal. */
static bool is_bounded(explore_problem *p)
{
    char why[200];
    if (!p->w->task_count || p->options->horizon_ns > 0 || !exact_overload(p->w, p->gpu, true, why, sizeof why))
        return true;
    snprintf(p->text, sizeof p->text, "with the longest durations %s; give a horizon to look at a part", why);
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
        is_covered =
            explore_refuse(&p, "launch_latency_ns is a range, and a kernel has carveout driver, which together "
                               "are not followed; without the carveout, or with one latency, there is an answer");
    else if (is_covered && needs_events && !has_events) {
        snprintf(p.text, sizeof p.text,
                 "%s, and a kernel has carveout driver, which together are not followed; without one of the two there "
                 "is an answer",
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
