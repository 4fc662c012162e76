/* Memory of states, and the groups of jobs that may be late. */
#include "analyze/explore/events/event_state.h"

#include <stdlib.h>
#include <string.h>

#include "simulate/queue_rules.h"

bool event_state_init(event_search *q, event_state *s)
{
    size_t streams = q->problem->w->stream_count;
    s->called = calloc(q->set_words + 1, sizeof *s->called);
    s->sms = calloc((size_t)q->sms.count, sizeof *s->sms);
    s->lines = calloc(q->line_count + 1, sizeof *s->lines);
    s->stream_lines = calloc(EVENT_LINES * streams + 1, sizeof *s->stream_lines);
    if (!s->called || !s->sms || !s->lines || !s->stream_lines)
        return false;
    for (size_t i = 0; i < EVENT_LINES * streams; i++)
        s->stream_lines[i] = -1;
    for (size_t i = 0; i < q->line_count; i++)
        s->lines[i].stream = -1;
    for (int i = 0; i < q->sms.count; i++)
        sm_empty(q->problem->gpu, &s->sms[i]);
    for (int e = 0; e < COPY_ENGINES; e++)
        s->engines[e] = (event_engine){.job = EXPLORE_NONE, .gap_end = ZONE_NEVER};
    s->switch_end = ZONE_NEVER;
    s->last_sm = (uint32_t)q->sms.count;
    s->last_connection = CONNECTION_NONE_JOINED;
    s->zone.var_count = 1;
    s->zone.bound[0] = 0;
    return true;
}

void event_state_free(event_state *s)
{
    free(s->called);
    free(s->sms);
    free(s->lines);
    free(s->stream_lines);
    vec_free(&s->ops);
    vec_free(&s->residents);
    vec_free(&s->ends);
    vec_free(&s->late_groups);
}

#define copy_vec(to, from)                                                                                             \
    (vec_reserve((to), (from)->count + 1) &&                                                                           \
     ((to)->count = (from)->count, !(from)->count || memcpy((to)->at, (from)->at, (from)->count * sizeof *(to)->at)))

bool event_state_copy(const event_search *q, event_state *to, const event_state *from)
{
    size_t streams = q->problem->w->stream_count;
    memcpy(to->called, from->called, q->set_words * sizeof *to->called);
    memcpy(to->sms, from->sms, (size_t)q->sms.count * sizeof *to->sms);
    memcpy(to->lines, from->lines, q->line_count * sizeof *to->lines);
    memcpy(to->stream_lines, from->stream_lines, EVENT_LINES * streams * sizeof *to->stream_lines);
    memcpy(to->engines, from->engines, sizeof to->engines);
    to->switch_end = from->switch_end;
    to->next_entry_number = from->next_entry_number;
    to->last_sm = from->last_sm;
    to->last_connection = from->last_connection;
    zone_copy(&to->zone, &from->zone);
    return copy_vec(&to->ops, &from->ops) && copy_vec(&to->residents, &from->residents) &&
           copy_vec(&to->ends, &from->ends) && copy_vec(&to->late_groups, &from->late_groups);
}

/* The call of a group's first op is a variable from when it may come next until all ops of the group have been called.
 * The first calls of two jobs of a sporadic task are a known time apart, so the variable of a group is added before
 * that of the previous group is dropped (docs/explore.md, E7). */

bool event_call_is_later(const event_search *q, const event_state *s, uint32_t job)
{
    uint32_t group = q->group[job];
    uint32_t before = group == EXPLORE_NONE ? EXPLORE_NONE : q->group_before[group];
    return before != EXPLORE_NONE && !event_is_called(s, q->group_first[before]);
}

/* The index of a group in late_groups, or where to insert it. */
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
        return explore_refuse(q->problem, "the order of too many events is open at once");
    uint32_t before = q->group_before[group];
    size_t place_before = before == EXPLORE_NONE ? 0 : place_of(s, before);
    if (before != EXPLORE_NONE && is_at(s, place_before, before) &&
        !zone_restrict(&s->zone, s->late_groups.at[place_before].first_call, (zone_time){v, 0},
                       -q->group_distance_ns[group]))
        return explore_refuse(q->problem, "an internal check failed: a state of the search contradicts itself");
    if (!vec_push(&s->late_groups, ((event_late_group){0})))
        return event_no_memory(q);
    for (size_t i = s->late_groups.count - 1; i > place; i--)
        s->late_groups.at[i] = s->late_groups.at[i - 1];
    s->late_groups.at[place] = (event_late_group){group, {v, 0}};
    return true;
}

/* Has some op of the group not been called? */
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
