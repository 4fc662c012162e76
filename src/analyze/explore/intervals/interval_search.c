/* Lays out the states of the search by intervals. Then it takes one state after the other out of the store and puts its
 * successors in. */
#include "analyze/explore/intervals/interval_search.h"

#include "analyze/explore/intervals/burst.h"
#include "analyze/explore/intervals/interval_choices.h"
#include "analyze/explore/intervals/interval_state.h"
#include "analyze/explore/intervals/interval_store.h"
#include "analyze/explore/intervals/slot_fill.h"
#include "analyze/explore/intervals/step.h"
#include "analyze/explore/problem.h"
#include "base/integers.h"

/* When states with different orders of jobs merge, the latest time of each slot is that of the worst order for this
 * slot, so all slots together are later than in any order. Therefore a state also bounds the sum of its slots' times,
 * and how long the last slot is held after the last start; these bound each slot (docs/explore.md, lemma 6). */

/* The largest and the smallest value of the number at `place` among `count` sorted numbers with this sum, of which the
 * last is at most `spread` after the first. */
static int64_t max_at(int64_t sum, int64_t spread, size_t place, size_t count)
{
    return (sum + (int64_t)place * spread) / (int64_t)count;
}

static int64_t min_at(int64_t sum, int64_t spread, size_t place, size_t count)
{
    int64_t rest = sum - (int64_t)(count - 1 - place) * spread;
    return rest <= 0 ? 0 : div_up(rest, (int64_t)count);
}

/* Narrows the interval of each slot of the EE; not for shares. */
static void tighten(const interval_search *q, interval_state *s)
{
    const interval_layout *at = &q->layout;
    int64_t *lo = interval_lo(q, s), *hi = interval_hi(q, s), *reference = hi + at->reference_slots;
    size_t n = q->problem->slot_count[0];
    int64_t *max_sum = &hi[at->max_slot_sum], *min_sum = &lo[at->min_slot_sum];
    int64_t *max_reference_sum = &hi[at->max_reference_sum], spread = hi[at->max_slot_spread], sum_before = 0;
    *max_sum = min_i64(*max_sum, slots_sum(hi, n, 0));
    *max_reference_sum = min_i64(*max_reference_sum, *max_sum);
    *min_sum = max_i64(*min_sum, slots_sum(lo, n, 0));
    for (size_t i = 0; i < n; i++) {
        /* slots before this one are not before lo, and slots behind it are not before this one */
        int64_t max = min_i64(max_at(*max_sum, spread, i, n), (*max_sum - sum_before) / (int64_t)(n - i));
        sum_before += lo[i];
        hi[i] = max_i64(lo[i], min_i64(hi[i], max));
        reference[i] = min_i64(reference[i], max_at(*max_reference_sum, spread, i, n));
    }
    for (size_t i = n; i-- > 0;)
        lo[i] = min_i64(hi[i], max_i64(lo[i], min_at(*min_sum, spread, i, n)));
}

/* Reserves `count` entries of a vector that has *end so far; returns the first one. */
static size_t reserve(size_t *end, size_t count)
{
    size_t first = *end;
    *end += count;
    return first;
}

static void lay_out_state(interval_search *q)
{
    const explore_problem *p = q->problem;
    interval_layout *at = &q->layout;
    size_t end = p->slot_total;
    at->engine_ready = reserve(&end, p->engine_count);
    at->stream_complete = reserve(&end, p->stream_count);
    at->event_complete = reserve(&end, p->event_count);
    at->partial_end = reserve(&end, p->partial_count);
    at->partial_started = reserve(&end, p->partial_count);
    at->pair_count = end;
    at->entry = reserve(&end, p->queue_count);
    at->entry_index = reserve(&end, p->queue_count);
    at->reference = reserve(&end, p->engine_count);
    at->last_start = reserve(&end, 1);
    at->stream_call = reserve(&end, p->stream_count);
    at->stream_min_response = reserve(&end, p->stream_count);
    at->event_min_response = reserve(&end, p->event_count);
    at->partial_min_response = reserve(&end, p->partial_count);
    at->min_slot_sum = reserve(&end, 1);
    at->newest_job_lo = reserve(&end, p->engine_count);
    at->lo_count = end;
    end = at->pair_count;
    at->reference_slots = reserve(&end, p->slot_total + p->engine_count);
    at->stream_max_response = reserve(&end, p->stream_count);
    at->event_max_response = reserve(&end, p->event_count);
    at->stream_entry_delay = reserve(&end, p->stream_count);
    at->partial_max_response = reserve(&end, p->partial_count);
    at->max_slot_sum = reserve(&end, 1);
    at->max_reference_sum = reserve(&end, 1);
    at->max_slot_spread = reserve(&end, 1);
    at->newest_job_hi = reserve(&end, p->engine_count);
    at->hi_count = end;
    q->set_words = ((size_t)p->job_count + 63) / 64;
    q->key_words = q->set_words + 2 * p->partial_count;
    q->state_bytes = sizeof(interval_state) + (q->key_words + at->lo_count + at->hi_count) * sizeof(uint64_t);
}

/* False without memory. */
static bool lay_out(interval_search *q)
{
    explore_problem *p = q->problem;
    size_t max_slots = 1;
    for (size_t e = 0; e < p->engine_count; e++)
        max_slots = max_size(max_slots, p->slot_count[e]);
    lay_out_state(q);
    q->first_entries = arena_alloc_array(&p->memory, p->queue_count + 1, sizeof *q->first_entries);
    q->stream_visited = arena_alloc_array(&p->memory, p->stream_count + 1, sizeof *q->stream_visited);
    q->ring = arena_alloc_array(&p->memory, 2 * max_slots + 1, sizeof *q->ring);
    q->runs = arena_alloc_array(&p->memory, 2 * max_slots + 2, sizeof *q->runs);
    for (int i = 0; i < 2; i++)
        q->scratch[i] = arena_alloc_array(&p->memory, max_slots, sizeof *q->scratch[i]);
    return explore_make_results(p) && q->first_entries && q->stream_visited && q->ring && q->runs && q->scratch[0] &&
           q->scratch[1];
}

/* Stores all successors of a state. False: with a refusal or a status. */
static bool follow(interval_search *q, interval_state *s)
{
    explore_problem *p = q->problem;
    if (!p->shares)
        tighten(q, s);
    if (interval_bound_burst(q, s))
        return !p->refusal && interval_store_add(q);
    if (!interval_find_choices(q, s))
        return false;
    bool has_cut = false, has_successor = false;
    for (size_t l = 0; l < p->partial_count; l++)
        has_cut = has_cut || interval_partial(q, s, l)[1];
    for (size_t i = 0; i < q->choices.count; i++) {
        if (i && p->is_large && !explore_in_time(p))
            return false;
        if (!interval_step(q, s, &q->choices.at[i]))
            continue;
        has_successor = true;
        if (!interval_store_add(q))
            return false;
    }
    /* A state has no successor if the job that was to cut another one off does not come, or if, by shares, no execution
     * is in the state. */
    return has_successor || has_cut || p->shares || p->connections_shared ||
           explore_refuse(p, "an internal check failed: a state of the search contradicts itself");
}

static bool search(interval_search *q)
{
    explore_problem *p = q->problem;
    uint64_t checks = 0;
    uint32_t id;
    if (!lay_out(q) || !interval_find_bursts(q) || !interval_store_start(q))
        return explore_no_memory(p);
    for (interval_state *s; (s = interval_store_pop(q, &id));) {
        double fraction = (double)s->progress / (double)((p->partial_count + 1) * p->job_count + 1);
        if (!explore_within_limits(p, checks++, interval_store_bytes(q), fraction))
            return false;
        if (s->first_left < p->job_count && !follow(q, s))
            return false;
        interval_store_drop(q, id);
    }
    return true;
}

bool explore_by_intervals(explore_problem *p)
{
    interval_search q = {.problem = p};
    bool ok = search(&q);
    interval_store_free(&q);
    vec_free(&q.choices);
    return ok;
}
