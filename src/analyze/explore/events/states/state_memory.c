/* A state while it is worked on has fixed arrays for jobs, SMs, lines and streams, and vectors for what changes. */
#include "analyze/explore/events/states/state_memory.h"

#include <stdlib.h>
#include <string.h>

#include "simulate/rules/connection_choice.h"

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
