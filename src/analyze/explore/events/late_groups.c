/* The call of a group's first op is a variable from when it may be next until all ops of the group have been called. Of
 * a sporadic task the first calls of two groups are some time apart, so the variable of a group is added before that of
 * the group before it is dropped (docs/explore.md, E7). */
#include "analyze/explore/events/late_groups.h"

bool event_call_is_later(const event_search *q, const event_state *s, uint32_t job)
{
    uint32_t group = q->group[job];
    uint32_t before = group == EXPLORE_NONE ? EXPLORE_NONE : q->group_before[group];
    return before != EXPLORE_NONE && !event_is_called(s, q->group_first[before]);
}

/* The place of a group in late_groups, or that at which it is inserted. */
static size_t place_of(const event_state *s, uint32_t group)
{
    size_t place = 0;
    while (place < s->late_groups.count && s->late_groups.at[place].group < group)
        place++;
    return place;
}

static bool is_at(const event_state *s, size_t place, uint32_t group)
{
    return place < s->late_groups.count && s->late_groups.at[place].group == group;
}

bool event_add_late_group(event_search *q, event_state *s, uint32_t group)
{
    size_t place = place_of(s, group);
    if (is_at(s, place, group))
        return true;
    uint32_t v = zone_add(&s->zone, (zone_time){0, q->group_call_lo[group]}, 0, q->group_jitter_ns[group]);
    if (v == ZONE_NO_VARIABLE)
        return explore_refuse(q->problem, "the order of too many times is open at once");
    uint32_t before = q->group_before[group];
    size_t place_before = before == EXPLORE_NONE ? 0 : place_of(s, before);
    if (before != EXPLORE_NONE && is_at(s, place_before, before) &&
        !zone_restrict(&s->zone, s->late_groups.at[place_before].first_call, (zone_time){v, 0},
                       -q->group_distance_ns[group]))
        return explore_refuse(q->problem, "the search came to a state that contradicts itself");
    if (!vec_push(&s->late_groups, ((event_late_group){0})))
        return event_no_memory(q);
    for (size_t i = s->late_groups.count - 1; i > place; i--)
        s->late_groups.at[i] = s->late_groups.at[i - 1];
    s->late_groups.at[place] = (event_late_group){group, {v, 0}};
    return true;
}

/* Is there an op of the group that has not been called? */
static bool has_left(const event_search *q, const event_state *s, uint32_t group)
{
    for (uint32_t j = q->group_first[group]; j <= q->group_last[group]; j++)
        if (q->group[j] == group && !event_is_called(s, j))
            return true;
    return false;
}

bool event_drop_late_groups(event_search *q, event_state *s)
{
    for (size_t i = 0; i < s->late_groups.count; i++) {
        uint32_t group = s->late_groups.at[i].group, next = q->group_next[group];
        if (next != EXPLORE_NONE && !has_left(q, s, group) && !event_add_late_group(q, s, next))
            return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->late_groups.count; i++)
        if (has_left(q, s, s->late_groups.at[i].group))
            s->late_groups.at[kept++] = s->late_groups.at[i];
    s->late_groups.count = kept;
    return true;
}
