/* A state while it is worked on, and what may be forgotten of it. */
#include <stdlib.h>
#include <string.h>

#include "analyze/explore/events/events.h"
#include "simulate/rules/connection_choice.h"

bool event_state_init(event_search *q, event_state *s)
{
    size_t streams = q->x->w->stream_count;
    s->called = calloc(q->words + 1, sizeof *s->called);
    s->sms = calloc((size_t)q->set.count, sizeof *s->sms);
    s->lines = calloc(q->line_count + 1, sizeof *s->lines);
    s->stream_line = calloc(3 * streams + 1, sizeof *s->stream_line);
    if (!s->called || !s->sms || !s->lines || !s->stream_line)
        return false;
    for (size_t i = 0; i < 3 * streams; i++)
        s->stream_line[i] = -1;
    for (size_t i = 0; i < q->line_count; i++)
        s->lines[i].stream = -1;
    for (int i = 0; i < q->set.count; i++)
        sm_empty(q->x->gpu, &s->sms[i]);
    for (int e = 0; e < 2; e++)
        s->engines[e] = (event_engine){.job = EXPLORE_NONE, .gap = EVENT_NO_TIME};
    s->switching = EVENT_NO_TIME;
    s->last_sm = (uint32_t)q->set.count;
    s->last_connection = CONNECTION_FIRST_LAST;
    s->zone.n = 1;
    s->zone.d[0] = 0;
    return true;
}

void event_state_free(event_state *s)
{
    free(s->called);
    free(s->sms);
    free(s->lines);
    free(s->stream_line);
    vec_free(&s->ops);
    vec_free(&s->rooms);
    vec_free(&s->ends);
    vec_free(&s->late);
}

#define copy_vec(to, from)                                                                                             \
    (vec_reserve((to), (from)->count + 1) &&                                                                           \
     ((to)->count = (from)->count, !(from)->count || memcpy((to)->at, (from)->at, (from)->count * sizeof *(to)->at)))

bool event_state_copy(const event_search *q, event_state *to, const event_state *from)
{
    size_t streams = q->x->w->stream_count;
    memcpy(to->called, from->called, q->words * sizeof *to->called);
    memcpy(to->sms, from->sms, (size_t)q->set.count * sizeof *to->sms);
    memcpy(to->lines, from->lines, q->line_count * sizeof *to->lines);
    memcpy(to->stream_line, from->stream_line, 3 * streams * sizeof *to->stream_line);
    memcpy(to->engines, from->engines, sizeof to->engines);
    to->switching = from->switching;
    to->entries = from->entries;
    to->last_sm = from->last_sm;
    to->last_connection = from->last_connection;
    zone_copy(&to->zone, &from->zone);
    return copy_vec(&to->ops, &from->ops) && copy_vec(&to->rooms, &from->rooms) && copy_vec(&to->ends, &from->ends) &&
           copy_vec(&to->late, &from->late);
}

event_op *event_find(event_state *s, uint32_t job)
{
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].job == job)
            return &s->ops.at[i];
    return NULL;
}

event_time event_call_time(const event_search *q, const event_state *s, uint32_t job)
{
    uint32_t group = q->group[job];
    if (group == EXPLORE_NONE)
        return (event_time){0, q->x->jobs[job].first};
    for (size_t i = 0; i < s->late.count; i++)
        if (s->late.at[i].group == group)
            return event_after(s->late.at[i].at, q->x->jobs[job].first - q->group_first[group]);
    return EVENT_NO_TIME;
}

/* Is anything of this engine not called, or called and not started? */
static bool anything_left(const event_search *q, const event_state *s, uint32_t engine)
{
    const explore *x = q->x;
    for (size_t i = 0; i < s->ops.count; i++)
        if (q->engine[s->ops.at[i].job] == engine && s->ops.at[i].phase <= EVENT_QUEUED)
            return true;
    for (uint32_t j = x->job_count; j-- > 0;)
        if (q->engine[j] == engine && !event_called(s, j))
            return true;
    return false;
}

/* No block will start: only the last end of each kernel matters. */
static void forget_room(event_search *q, event_state *s)
{
    s->rooms.count = 0;
    s->switching = EVENT_NO_TIME;
    s->last_sm = (uint32_t)q->set.count;
    for (int i = 0; i < q->set.count; i++)
        sm_empty(q->x->gpu, &s->sms[i]);
    for (size_t i = 0; i < s->ops.count; i++) {
        event_time times[EVENT_VARIABLES];
        size_t n = 0, kept = 0;
        uint32_t job = s->ops.at[i].job;
        for (size_t k = 0; k < s->ends.count; k++)
            if (s->ends.at[k].job == job)
                times[n++] = s->ends.at[k].at;
        if (n < 2)
            continue;
        uint32_t v = zone_latest(&s->zone, times, n);
        if (v == EVENT_NEVER)
            return; /* so it stays as it is */
        for (size_t k = 0; k < s->ends.count; k++)
            if (s->ends.at[k].job != job)
                s->ends.at[kept++] = s->ends.at[k];
        s->ends.at[kept++] = (event_end){job, {v, 0}};
        s->ends.count = kept;
    }
}

/* The lowest entry from `from` on; UINT32_MAX: none. */
static uint32_t next_entry(const event_state *s, uint32_t from)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].phase >= EVENT_QUEUED && s->ops.at[i].entry >= from && s->ops.at[i].entry < least)
            least = s->ops.at[i].entry;
    for (size_t i = 0; i < s->rooms.count; i++)
        if (s->rooms.at[i].entry >= from && s->rooms.at[i].entry < least)
            least = s->rooms.at[i].entry;
    return least;
}

/* Entries are numbered from 0 on again; they become no higher, so those done and those left are never mixed up. */
static void renumber(event_state *s)
{
    uint32_t next = 0;
    for (uint32_t entry, from = 0; (entry = next_entry(s, from)) != UINT32_MAX; from = entry + 1, next++) {
        for (size_t i = 0; i < s->ops.count; i++)
            if (s->ops.at[i].phase >= EVENT_QUEUED && s->ops.at[i].entry == entry)
                s->ops.at[i].entry = next;
        for (size_t i = 0; i < s->rooms.count; i++)
            if (s->rooms.at[i].entry == entry)
                s->rooms.at[i].entry = next;
    }
    s->entries = next;
}

/* The order in which these were joined, as numbers from 1 on. */
static void renumber_lines(event_line *lines, size_t count)
{
    uint32_t next = 0, done = 1;
    for (;;) {
        event_line *least = NULL;
        for (size_t i = 0; i < count; i++)
            if (lines[i].joined >= done && (!least || lines[i].joined < least->joined))
                least = &lines[i];
        if (!least)
            return;
        done = least->joined + 1;
        least->joined = ++next;
    }
}

/* Nobody waits for room, so what is surely back is. */
static void forget_back(event_search *q, event_state *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->rooms.count; i++) {
        const event_room *r = &s->rooms.at[i];
        if (zone_most(&s->zone, r->at, q->now) <= 0)
            sm_release_one(&s->sms[r->rank], &q->demands[q->x->jobs[r->job].op], r->quarter);
        else
            s->rooms.at[kept++] = *r;
    }
    s->rooms.count = kept;
}

void event_forget(event_search *q, event_state *s)
{
    size_t connections = (size_t)q->connections, channels = (size_t)q->channels;
    for (int e = 0; e < 2; e++)
        if (s->engines[e].gap.var != EVENT_NEVER && !anything_left(q, s, (uint32_t)e + 1))
            s->engines[e].gap = EVENT_NO_TIME;
    if (!anything_left(q, s, 0))
        forget_room(q, s);
    else if (!event_waits(q, s))
        forget_back(q, s);
    renumber(s);
    renumber_lines(s->lines, connections);
    for (size_t e = 0; e < 2; e++)
        renumber_lines(s->lines + connections + e * channels, channels);
}
