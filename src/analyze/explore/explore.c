/* Method explore: a search over all executions of a workload whose durations and releases are
 * intervals, after schedule-abstraction graphs (Nasri and Brandenburg, RTSS 2017; for parallel jobs Nelissen et al.,
 * ECRTS 2022), but of blocks that start one by one in FIFO queues. docs/explore.md says why it is sound. */
#include "analyze/explore/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 31)
#define SMALL_STATES 4000
#define LOOK_AT_LIMITS 64 /* states between two looks; at the clock more often where they are large */
#define LARGE 1000

static size_t place(size_t *next, size_t count)
{
    size_t at = *next;
    *next += count;
    return at;
}

static void lay_out_state(explore *x)
{
    explore_places *at = &x->at;
    size_t n = x->slots;
    at->last = place(&n, x->engines);
    at->stream = place(&n, x->stream_count);
    at->partial = place(&n, x->partials);
    at->started = place(&n, x->partials);
    at->pairs = n;
    at->entered = place(&n, x->queues);
    at->entered_rank = place(&n, x->queues);
    at->reference = place(&n, x->engines);
    at->now = place(&n, 1);
    at->called = place(&n, x->stream_count);
    at->stream_least = place(&n, x->stream_count);
    at->partial_least = place(&n, x->partials);
    at->least_sum = place(&n, 1);
    at->newest_first = place(&n, x->engines);
    at->earliest = n;
    n = at->pairs;
    at->early = place(&n, x->slots + x->engines);
    at->stream_most = place(&n, x->stream_count);
    at->stream_entry = place(&n, x->stream_count);
    at->partial_most = place(&n, x->partials);
    at->sum = place(&n, 1);
    at->early_sum = place(&n, 1);
    at->tail = place(&n, 1);
    at->newest_last = place(&n, x->engines);
    at->latest = n;
    x->set_words = ((size_t)x->job_count + 63) / 64;
    x->key_words = x->set_words + 2 * x->partials;
    x->state_bytes = sizeof(explore_state) + (x->key_words + at->earliest + at->latest) * sizeof(uint64_t);
}

/* Steps of such states take long, and so do blocks that are gone through one by one. */
static bool is_large(const explore *x)
{
    uint64_t large = x->job_count + x->slots;
    for (uint32_t i = 0; i < x->job_count; i++)
        large = x->jobs[i].each && x->jobs[i].blocks > large ? x->jobs[i].blocks : large;
    return large > LARGE;
}

bool explore_make_results(explore *x)
{
    x->large = is_large(x);
    x->best = arena_alloc_array(&x->memory, x->w->op_count + 1, sizeof *x->best);
    x->worst = arena_alloc_array(&x->memory, x->w->op_count + 1, sizeof *x->worst);
    x->ends = arena_alloc_array(&x->memory, (size_t)x->job_count + 1, sizeof *x->ends);
    if (!x->best || !x->worst || !x->ends)
        return false;
    for (size_t i = 0; i < x->w->op_count; i++) {
        x->best[i] = INT64_MAX;
        x->worst[i] = -1;
    }
    return true;
}

static bool lay_out(explore *x)
{
    size_t most = 1;
    for (size_t e = 0; e < x->engines; e++)
        most = x->slot_count[e] > most ? x->slot_count[e] : most;
    lay_out_state(x);
    x->least = arena_alloc_array(&x->memory, x->queues + 1, sizeof *x->least);
    x->seen_look = arena_alloc_array(&x->memory, x->stream_count + 1, sizeof *x->seen_look);
    x->ring = arena_alloc_array(&x->memory, 2 * most + 1, sizeof *x->ring);
    for (int i = 0; i < 2; i++)
        x->scratch[i] = arena_alloc_array(&x->memory, most, sizeof *x->scratch[i]);
    return explore_make_results(x) && x->least && x->seen_look && x->ring && x->scratch[0] && x->scratch[1];
}

bool explore_in_time(explore *x)
{
    return !limit_passed(&x->limit) || explore_refuse(x, "it takes too long");
}

static bool within_limits(explore *x, uint64_t taken, double fraction)
{
    uint64_t states = x->options->max_states ? x->options->max_states : EXPLORE_STATES;
    uint64_t bytes = x->options->max_bytes ? x->options->max_bytes : MOST_BYTES;
    const char *how = x->by_events ? "event by event, " : "";
    if (x->out->a.states > states)
        snprintf(x->text, sizeof x->text, "%sthere are more than %" PRIu64 " states", how, states);
    else if (taken > bytes)
        snprintf(x->text, sizeof x->text, "%sits states take more than %" PRIu64 " bytes", how, bytes);
    else if (x->options->progress && !x->options->progress(x->options->progress_data, fraction))
        snprintf(x->text, sizeof x->text, "it was stopped");
    else
        return explore_in_time(x);
    return explore_refuse(x, x->text);
}

bool explore_goes_on(explore *x, uint64_t looked, uint64_t taken, double fraction)
{
    if (looked % LOOK_AT_LIMITS == 0)
        return within_limits(x, taken, fraction);
    return !x->large || explore_in_time(x);
}

static bool follow(explore *x, explore_state *s)
{
    if (!x->shares)
        explore_tighten(x, s);
    if (explore_burst(x, s))
        return !x->why && store_add(x);
    if (!explore_look(x, s))
        return false;
    bool cut = false, led = false;
    for (size_t l = 0; l < x->partials; l++)
        cut = cut || state_partial(x, s, l)[1];
    for (size_t i = 0; i < x->choices.count; i++) {
        if (i && x->large && !explore_in_time(x))
            return false;
        if (!explore_step(x, s, &x->choices.at[i]))
            continue;
        led = true;
        if (!store_add(x))
            return false;
    }
    /* What may have cut a job off need not come, and with shares a state may be of no execution. */
    return led || cut || x->shares || explore_refuse(x, "the search came to a state that contradicts itself");
}

static bool search(explore *x)
{
    uint64_t looked = 0;
    uint32_t id;
    if (!lay_out(x) || !explore_find_bursts(x) || !store_start(x)) {
        x->status = gcast_error_set_memory(x->err);
        return false;
    }
    for (explore_state *s; (s = store_pop(x, &id));) {
        double fraction = (double)s->done / (double)((x->partials + 1) * x->job_count + 1);
        if (!explore_goes_on(x, looked++, store_bytes(x), fraction))
            return false;
        if (s->first < x->job_count && !follow(x, s))
            return false;
        store_drop(x, id);
    }
    return true;
}

static bool say_assumptions(explore *x)
{
    bool copies = false;
    for (uint32_t i = 0; i < x->job_count; i++)
        copies = copies || (x->jobs[i].engine && x->w->ops[x->jobs[i].op].max_ns == GCAST_UNKNOWN_NS &&
                            x->jobs[i].min_ns + x->noise != x->jobs[i].max_ns);
    if (!analysis_assume_model(x->out, x->gpu, x->options))
        return false;
    if (x->by_events)
        snprintf(x->text, sizeof x->text, "every order of events is followed, block by block");
    else if (x->shares)
        snprintf(x->text, sizeof x->text, "blocks take shares of SMs, wherever they are placed");
    else
        snprintf(x->text, sizeof x->text, "blocks take slots of a pool, %zu in all", x->slot_count[0]);
    return ((!x->levels && !x->by_events) || analysis_assume(x->out, x->text)) &&
           (!x->bounded ||
            analysis_assume(x->out, "orders of many jobs that may arrive in any order are bounded by the "
                                    "work of all of them, not explored")) &&
           (!copies || analysis_assume(x->out, "copies may be slowed down by those the other way all the time"));
}

static void fill_in(explore *x)
{
    owned_analysis *o = x->out;
    for (size_t i = 0; i < o->a.response_count; i++) {
        gcast_response *r = &o->responses[i];
        if (x->worst[r->op] < 0) {
            explore_refuse(x, "an op has no job before the horizon; give a later one");
            return;
        }
        r->best_ns = x->best[r->op];
        r->worst_ns = x->worst[r->op];
    }
}

static explore begin(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                     const gcast_analyze_options *options, time_limit until, gcast_error *err)
{
    return (explore){.w = w, .gpu = gpu, .options = options, .limit = until, .out = o, .err = err, .status = GCAST_OK};
}

static bool look_at_all(explore *x)
{
    if (x->by_events)
        x->slot_count[0] = 1; /* not used, but times are to fit as with one */
    if (!explore_window(x) || !explore_make_jobs(x) || !(x->by_events ? explore_events : search)(x))
        return false;
    if (!say_assumptions(x) || !explore_repeats(x))
        x->status = x->why ? x->status : gcast_error_set_memory(x->err);
    else
        fill_in(x);
    return x->status == GCAST_OK && !x->why;
}

static gcast_status finish(explore *x)
{
    store_free(x);
    vec_free(&x->choices);
    arena_free(&x->memory);
    return x->status;
}

/* A small system is searched by events whatever covers it, and states stay apart: what is said is then attained.
 * False: it is not small, and nothing is said yet. */
static bool small_enough(explore *of)
{
    owned_analysis *o = of->out;
    gcast_analyze_options few = *of->options;
    few.max_states = few.max_states && few.max_states < SMALL_STATES ? few.max_states : SMALL_STATES;
    explore x = begin(o, of->w, of->gpu, &few, of->limit, of->err);
    x.by_events = x.apart = true;
    x.pool = of->pool;
    bool done = look_at_all(&x);
    of->status = finish(&x);
    if (!done) {
        o->a.states = 0;
        o->assumptions.count = o->a.assumption_count = 0;
    }
    return done;
}

gcast_status analyze_explore(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                             const gcast_analyze_options *options, gcast_error *err)
{
    explore x = begin(o, w, gpu, options, limit_from_now(options->max_ms), err);
    bool possible = explore_possible(&x);
    if (possible) {
        x.pool = explore_covers(&x);
        x.why = NULL;
        x.by_events = !x.pool;
    }
    if (x.by_events && gpu->noise_ns) {
        x.by_events = !explore_covers_shares(&x);
        x.shares = x.by_events ? NULL : x.shares;
        x.why = NULL;
    }
    bool small = possible && x.status == GCAST_OK && !options->coarse && small_enough(&x);
    if (possible && x.status == GCAST_OK && !small)
        look_at_all(&x);
    if (x.status == GCAST_OK && x.why)
        analysis_give_up(o, x.why);
    return finish(&x);
}
