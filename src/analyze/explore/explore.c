/* Method explore: a search over all executions of a workload whose durations and releases are
 * intervals, after schedule-abstraction graphs (Nasri and Brandenburg, RTSS 2017; for parallel jobs Nelissen et al.,
 * ECRTS 2022), but of blocks that start one by one in FIFO queues. docs/explore.md says why it is sound. This file
 * chooses the search, and makes the analysis of its results. */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/explore/events/event_search.h"
#include "analyze/explore/intervals/interval_search.h"
#include "analyze/explore/problem/cover.h"
#include "analyze/explore/problem/jobs.h"
#include "analyze/explore/problem/window.h"
#include "base/minmax.h"

#define SMALL_STATES 4000 /* a system that takes no more states by events is small */

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

/* False without memory. */
static bool add_assumptions(explore_problem *p)
{
    if (!analysis_assume_model(p->out, p->gpu, p->options))
        return false;
    if (p->by_events)
        snprintf(p->text, sizeof p->text, "every order of events is followed, block by block");
    else if (p->shares)
        snprintf(p->text, sizeof p->text, "blocks take shares of SMs, wherever they are placed");
    else
        snprintf(p->text, sizeof p->text, "blocks take slots of a pool, %zu in all", p->slot_count[0]);
    return ((!p->level_count && !p->by_events) || analysis_assume(p->out, p->text)) &&
           (!p->has_bounded_burst ||
            analysis_assume(p->out, "orders of many jobs that may arrive in any order are bounded by the "
                                    "work of all of them, not explored")) &&
           (!has_slowed_copies(p) ||
            analysis_assume(p->out, "copies may be slowed down by those the other way all the time"));
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

/* A small system is searched by events whatever else covers it, and states stay apart: the responses are then attained.
 * False: it is not small, or memory is short; then nothing is filled in. */
static bool search_if_small(explore_problem *p)
{
    owned_analysis *o = p->out;
    gcast_analyze_options options = *p->options;
    options.max_states = options.max_states ? min_u64(options.max_states, SMALL_STATES) : SMALL_STATES;
    explore_problem small = make_problem(o, p->w, p->gpu, &options, p->limit, p->err);
    small.by_events = small.states_stay_apart = true;
    small.is_pool = p->is_pool;
    bool done = search(&small);
    p->status = free_problem(&small);
    if (!done) {
        o->a.states = 0;
        o->assumptions.count = o->a.assumption_count = 0;
    }
    return done;
}

gcast_status analyze_explore(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                             const gcast_analyze_options *options, gcast_error *err)
{
    explore_problem p = make_problem(o, w, gpu, options, limit_from_now(options->max_ms), err);
    bool is_covered = explore_covers_any(&p);
    if (is_covered) {
        p.is_pool = explore_covers_pool(&p);
        p.refusal = NULL;
        p.by_events = !p.is_pool;
    }
    if (p.by_events && gpu->noise_ns) {
        p.by_events = !explore_covers_shares(&p);
        p.shares = p.by_events ? NULL : p.shares;
        p.refusal = NULL;
    }
    bool done = is_covered && p.status == GCAST_OK && !options->coarse && search_if_small(&p);
    if (is_covered && p.status == GCAST_OK && !done)
        search(&p);
    if (p.status == GCAST_OK && p.refusal)
        analysis_give_up(o, p.refusal);
    return free_problem(&p);
}
