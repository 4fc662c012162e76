/* Of each variable the first pending event may be the next of all (docs/explore.md, E1). Every set of these events that
 * can be at one time, while the others are later, is followed. */
#include "analyze/explore/events/next_instant.h"

#include "analyze/explore/events/instant.h"
#include "analyze/explore/events/late_groups.h"
#include "base/minmax.h"

#define MAX_CANDIDATES_APART 14 /* where states stay apart; each set of candidates may be next */

/* The event at t may be the first one of its variable. */
static void add_event(int64_t first[ZONE_MAX_VARIABLES], zone_time t)
{
    if (!zone_is_never(t) && t.offset < first[t.var])
        first[t.var] = t.offset;
}

static int64_t latest(const event_state *s, zone_time t)
{
    return zone_max_after(&s->zone, t, ZONE_TIME_0);
}

/* Adds the calls that may be made by `happens_by`, the time by which some event happens in every execution. */
static bool add_calls(event_search *q, event_state *s, int64_t first[ZONE_MAX_VARIABLES], int64_t happens_by)
{
    const explore_problem *p = q->problem;
    uint32_t word = 0;
    while (word < q->set_words && s->called[word] == UINT64_MAX)
        word++;
    for (uint32_t j = word * 64; j < p->job_count && p->jobs[j].call_lo <= happens_by; j++) {
        if (event_is_called(s, j))
            continue;
        if (event_call_is_later(q, s, j))
            continue;
        if (q->group[j] != EXPLORE_NONE && !event_add_late_group(q, s, q->group[j]))
            return false;
        zone_time call = event_call_time(q, s, j);
        add_event(first, call);
        happens_by = min_i64(happens_by, latest(s, call));
    }
    return true;
}

/* Sets q->candidates. False: with a refusal, or without memory. */
static bool find_candidates(event_search *q, event_state *s)
{
    int64_t first[ZONE_MAX_VARIABLES], happens_by = INT64_MAX;
    for (size_t i = 0; i < ZONE_MAX_VARIABLES; i++)
        first[i] = INT64_MAX;
    for (size_t i = 0; i < s->ops.count; i++)
        add_event(first, s->ops.at[i].next_event);
    if (event_kernel_waits(q, s))
        for (size_t i = 0; i < s->residents.count; i++)
            add_event(first, s->residents.at[i].freed);
    for (size_t i = 0; i < s->ends.count; i++)
        add_event(first, s->ends.at[i].time);
    for (int e = 0; e < COPY_ENGINES; e++)
        add_event(first, s->engines[e].gap_end);
    add_event(first, s->switch_end);
    for (uint32_t v = 0; v < s->zone.var_count; v++)
        if (first[v] < INT64_MAX)
            happens_by = min_i64(happens_by, latest(s, (zone_time){v, first[v]}));
    if (!add_calls(q, s, first, happens_by))
        return false;
    q->candidate_count = 0;
    for (uint32_t v = 0; v < s->zone.var_count; v++)
        if (first[v] < INT64_MAX)
            q->candidates[q->candidate_count++] = (zone_time){v, first[v]};
    return true;
}

/* Follows every set of the candidates from `next` on that may happen now. The zone at this depth says of those before
 * whether they happen now, and that those from `next` on do not happen before. So at least one of the two branches
 * below is possible. */
static bool follow_sets(event_search *q, size_t next, size_t depth)
{
    zone *z = &q->zone_stack[depth];
    while (next < q->candidate_count && zone_max_after(z, q->now, q->candidates[next]) < 0)
        next++; /* it is later in every execution */
    if (next == q->candidate_count)
        return event_follow_instant(q, depth);
    zone_time c = q->candidates[next];
    zone *restricted = &q->zone_stack[depth + 1];
    zone_copy(restricted, z);
    if (zone_restrict(restricted, q->now, c, -1) && !follow_sets(q, next + 1, depth + 1))
        return false;
    zone_copy(restricted, z);
    if (!zone_restrict(restricted, c, q->now, 0))
        return true;
    q->happens[c.var] = c.offset;
    bool ok = follow_sets(q, next + 1, depth + 1);
    q->happens[c.var] = INT64_MIN;
    return ok;
}

bool event_follow_state(event_search *q)
{
    event_state *s = &q->current;
    if (!find_candidates(q, s))
        return false;
    if (q->problem->states_stay_apart && q->candidate_count > MAX_CANDIDATES_APART)
        return explore_refuse(q->problem, "too many times are open at once for states to stay apart");
    if (!q->candidate_count && s->ops.count)
        return explore_refuse(q->problem, "the search came to a state that contradicts itself");
    for (size_t v = 0; v < ZONE_MAX_VARIABLES; v++)
        q->happens[v] = q->freed_before[v] = INT64_MIN;
    /* candidate i is the first one that happens now */
    for (size_t i = 0; i < q->candidate_count; i++) {
        zone *z = &q->zone_stack[0];
        bool is_possible = true;
        q->now = q->candidates[i];
        zone_copy(z, &s->zone);
        for (size_t k = 0; k < q->candidate_count && is_possible; k++)
            is_possible = zone_restrict(z, q->now, q->candidates[k], k < i ? -1 : 0);
        if (!is_possible)
            continue;
        q->happens[q->now.var] = q->now.offset;
        if (!follow_sets(q, i + 1, 0))
            return false;
        q->happens[q->now.var] = INT64_MIN;
    }
    return true;
}
