/* The next instant of a state: of each variable the first pending event may be the next of all. Every set of these
 * that can be at one time, with the others later, is looked at. */
#include "analyze/explore/events/events.h"

#define FEW_TIMES 14 /* open at once, where states stay apart: each set of them may be next */

/* t may be the next event of its variable. */
static void offer(int64_t first[EVENT_VARIABLES], event_time t)
{
    if (t.var != EVENT_NEVER && t.off < first[t.var])
        first[t.var] = t.off;
}

static int64_t latest(const event_state *s, event_time t)
{
    return zone_most(&s->zone, t, (event_time){0, 0});
}

/* One of the jobs of a group may be called now: its time becomes a variable. */
static bool introduce(event_search *q, event_state *s, uint32_t group)
{
    size_t at = 0;
    while (at < s->late.count && s->late.at[at].group < group)
        at++;
    if (at < s->late.count && s->late.at[at].group == group)
        return true;
    uint32_t v = zone_add(&s->zone, (event_time){0, q->group_first[group]}, 0, q->group_late[group]);
    if (v == EVENT_NEVER)
        return explore_refuse(q->x, "the order of too many times is open at once");
    if (!vec_push(&s->late, ((event_late){0}))) {
        q->failed = true;
        return false;
    }
    for (size_t i = s->late.count - 1; i > at; i--)
        s->late.at[i] = s->late.at[i - 1];
    s->late.at[at] = (event_late){group, {v, 0}};
    return true;
}

/* Calls that may be made before anything else surely happens. */
static bool offer_calls(event_search *q, event_state *s, int64_t first[EVENT_VARIABLES], int64_t surely)
{
    const explore *x = q->x;
    uint32_t from = 0;
    while (from < q->words && s->called[from] == UINT64_MAX)
        from++;
    for (uint32_t j = from * 64; j < x->job_count && x->jobs[j].first <= surely; j++) {
        if (event_called(s, j))
            continue;
        if (q->group[j] != EXPLORE_NONE && !introduce(q, s, q->group[j]))
            return false;
        event_time call = event_call_time(q, s, j);
        offer(first, call);
        surely = earlier(surely, latest(s, call));
    }
    return true;
}

static bool find_candidates(event_search *q, event_state *s)
{
    int64_t first[EVENT_VARIABLES], surely = INT64_MAX;
    for (size_t i = 0; i < EVENT_VARIABLES; i++)
        first[i] = INT64_MAX;
    for (size_t i = 0; i < s->ops.count; i++)
        offer(first, s->ops.at[i].next);
    for (size_t i = 0; i < s->rooms.count && event_waits(q, s); i++)
        offer(first, s->rooms.at[i].at);
    for (size_t i = 0; i < s->ends.count; i++)
        offer(first, s->ends.at[i].at);
    for (int e = 0; e < 2; e++)
        offer(first, s->engines[e].gap);
    offer(first, s->switching);
    for (uint32_t v = 0; v < s->zone.n; v++)
        if (first[v] < INT64_MAX)
            surely = earlier(surely, latest(s, (event_time){v, first[v]}));
    if (!offer_calls(q, s, first, surely))
        return false;
    q->candidate_count = 0;
    for (uint32_t v = 0; v < s->zone.n; v++)
        if (first[v] < INT64_MAX)
            q->candidates[q->candidate_count++] = (event_time){v, first[v]};
    return true;
}

/* The candidates up to `at` are settled in the zone; the rest are at the same time or later, so that one of the two
 * always can be. */
static bool branch(event_search *q, size_t at, size_t depth)
{
    event_zone *z = &q->stack[depth];
    while (at < q->candidate_count && zone_most(z, q->now, q->candidates[at]) < 0)
        at++; /* surely later */
    if (at == q->candidate_count)
        return event_happen(q, depth);
    event_time c = q->candidates[at];
    event_zone *next = &q->stack[depth + 1];
    zone_copy(next, z);
    if (zone_limit(next, q->now, c, -1) && !branch(q, at + 1, depth + 1))
        return false;
    zone_copy(next, z);
    if (!zone_limit(next, c, q->now, 0))
        return true;
    q->happens[c.var] = c.off;
    bool ok = branch(q, at + 1, depth + 1);
    q->happens[c.var] = INT64_MIN;
    return ok;
}

bool event_follow(event_search *q)
{
    event_state *s = &q->from;
    if (!find_candidates(q, s))
        return false;
    if (q->x->apart && q->candidate_count > FEW_TIMES)
        return explore_refuse(q->x, "too many times are open at once for states to stay apart");
    if (!q->candidate_count && s->ops.count)
        return explore_refuse(q->x, "the search came to a state that contradicts itself");
    for (size_t v = 0; v < EVENT_VARIABLES; v++)
        q->happens[v] = q->back_before[v] = INT64_MIN;
    for (size_t i = 0; i < q->candidate_count; i++) {
        event_zone *z = &q->stack[0];
        bool can = true;
        q->now = q->candidates[i];
        zone_copy(z, &s->zone);
        for (size_t k = 0; k < q->candidate_count && can; k++)
            can = zone_limit(z, q->now, q->candidates[k], k < i ? -1 : 0);
        if (!can)
            continue;
        q->happens[q->now.var] = q->now.off;
        if (!branch(q, i + 1, 0))
            return false;
        q->happens[q->now.var] = INT64_MIN;
    }
    return true;
}
