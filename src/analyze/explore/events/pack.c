/* A state as words, and back: a key of everything but the bounds of the zone, then these. Variables are numbered in
 * the order in which the key names them, and moved so that the first time that uses one is 0 after it; so states that
 * differ in bounds only have one key. */
#include <stdlib.h>
#include <string.h>

#include "analyze/explore/events/events.h"

/* What the writer of a key knows of variables. */
typedef struct naming {
    event_search *q;
    uint32_t number[EVENT_VARIABLES]; /* in the key, + 1; 0: none yet */
    uint32_t old[EVENT_VARIABLES];
    int64_t moved[EVENT_VARIABLES];
    uint32_t count;
} naming;

static void put(naming *n, int64_t word)
{
    if (!vec_push(&n->q->key, word))
        n->q->failed = true;
}

static void put_time(naming *n, event_time t)
{
    if (t.var == EVENT_NEVER) {
        put(n, -1);
        return;
    }
    if (!n->number[t.var]) {
        n->old[n->count] = t.var;
        n->moved[n->count] = t.off;
        n->number[t.var] = ++n->count;
    }
    uint32_t v = n->number[t.var] - 1;
    put(n, v);
    put(n, t.off - n->moved[v]);
}

static int by_place(const void *a, const void *b)
{
    const event_room *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    if (x->quarter != y->quarter)
        return x->quarter < y->quarter ? -1 : 1;
    if (x->at.var != y->at.var)
        return x->at.var < y->at.var ? -1 : 1;
    return x->at.off < y->at.off ? -1 : x->at.off > y->at.off;
}

static int by_job(const void *a, const void *b)
{
    const event_end *x = a, *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->at.var < y->at.var ? -1 : x->at.var > y->at.var;
}

static void put_ops(naming *n, const event_state *s)
{
    put(n, (int64_t)s->ops.count);
    for (size_t i = 0; i < s->ops.count; i++) {
        const event_op *op = &s->ops.at[i];
        put(n, (int64_t)op->job << 32 | op->phase);
        put(n, (int64_t)op->entry << 32 | (uint32_t)(op->line + 1));
        put(n, (int64_t)op->started);
        put_time(n, op->call);
        put_time(n, op->next);
    }
}

/* Room that blocks hold, and where the next warp of an SM would go. */
static void put_rooms(naming *n, event_state *s)
{
    uint64_t quarters = 0;
    if (s->rooms.count)
        qsort(s->rooms.at, s->rooms.count, sizeof *s->rooms.at, by_place);
    put(n, (int64_t)s->rooms.count);
    for (size_t i = 0; i < s->rooms.count; i++) {
        const event_room *r = &s->rooms.at[i];
        put(n, (int64_t)r->job << 32 | (int64_t)r->rank << 2 | r->quarter);
        put(n, r->entry);
        put_time(n, r->at);
    }
    for (int i = 0; i < n->q->set.count; i++) {
        quarters = quarters << 2 | (uint32_t)s->sms[i].next_quarter;
        if (i % 32 == 31 || i + 1 == n->q->set.count)
            put(n, (int64_t)quarters);
    }
}

static void put_rest(naming *n, event_state *s)
{
    const event_search *q = n->q;
    if (s->ends.count)
        qsort(s->ends.at, s->ends.count, sizeof *s->ends.at, by_job);
    put(n, (int64_t)s->ends.count);
    for (size_t i = 0; i < s->ends.count; i++) {
        put(n, s->ends.at[i].job);
        put_time(n, s->ends.at[i].at);
    }
    put(n, (int64_t)s->late.count);
    for (size_t i = 0; i < s->late.count; i++) {
        put(n, s->late.at[i].group);
        put_time(n, s->late.at[i].at);
    }
    for (int e = 0; e < 2; e++) {
        put(n, (int64_t)s->engines[e].job << 16 | s->engines[e].channel);
        put_time(n, s->engines[e].gap);
    }
    put_time(n, s->switching);
    put(n, (int64_t)s->last_sm << 32 | s->last_connection);
    for (size_t i = 0; i < q->line_count; i++)
        put(n, (int64_t)s->lines[i].joined << 32 | (uint32_t)(s->lines[i].stream + 1));
    for (size_t i = 0; q->line_count && i < 3 * q->x->w->stream_count; i++)
        put(n, s->stream_line[i]);
}

uint32_t event_pack(event_search *q, event_state *s, int64_t *bounds)
{
    naming n = {.q = q, .number = {1}, .count = 1}; /* time 0 is variable 0 always */
    q->key.count = 0;
    for (size_t i = 0; i < q->words; i++)
        put(&n, (int64_t)s->called[i]);
    put_ops(&n, s);
    put_rooms(&n, s);
    put_rest(&n, s);
    for (uint32_t i = 0; i < n.count; i++)
        for (uint32_t j = 0; j < n.count; j++)
            bounds[i * n.count + j] = s->zone.d[n.old[i] * s->zone.n + n.old[j]] + n.moved[i] - n.moved[j];
    return n.count;
}

static event_time take_time(const int64_t **at)
{
    event_time t = EVENT_NO_TIME;
    if (**at < 0) {
        ++*at;
        return t;
    }
    t.var = (uint32_t) * (*at)++;
    t.off = *(*at)++;
    return t;
}

static bool take_ops(event_state *s, const int64_t **at)
{
    size_t count = (size_t) * (*at)++;
    s->ops.count = s->entries = 0;
    for (size_t i = 0; i < count; i++) {
        event_op op = {.job = (uint32_t)(**at >> 32), .phase = (uint32_t) * *at};
        ++*at;
        op.entry = (uint32_t)(**at >> 32);
        op.line = (int32_t)(uint32_t) * (*at)++ - 1;
        op.started = (uint64_t) * (*at)++;
        op.call = take_time(at);
        op.next = take_time(at);
        if (op.phase >= EVENT_QUEUED && op.entry >= s->entries)
            s->entries = op.entry + 1;
        if (!vec_push(&s->ops, op))
            return false;
    }
    return true;
}

static bool take_rooms(event_search *q, event_state *s, const int64_t **at)
{
    size_t count = (size_t) * (*at)++;
    int sms = q->set.count;
    s->rooms.count = 0;
    for (int i = 0; i < sms; i++)
        sm_empty(q->x->gpu, &s->sms[i]);
    for (size_t i = 0; i < count; i++) {
        event_room r = {.job = (uint32_t)(**at >> 32), .rank = (uint32_t) * *at >> 2, .quarter = (int32_t)(**at & 3)};
        ++*at;
        r.entry = (uint32_t) * (*at)++;
        r.at = take_time(at);
        s->entries = r.entry >= s->entries ? r.entry + 1 : s->entries;
        s->sms[r.rank].next_quarter = r.quarter;
        sm_take_one(&s->sms[r.rank], &q->demands[q->x->jobs[r.job].op]);
        if (!vec_push(&s->rooms, r))
            return false;
    }
    for (int i = 0; i < sms; i++) {
        int in_word = sms - i / 32 * 32 < 32 ? sms - i / 32 * 32 : 32;
        s->sms[i].next_quarter = (int32_t)((uint64_t) * *at >> 2 * (in_word - 1 - i % 32) & 3);
        if (i % 32 == 31 || i + 1 == sms)
            ++*at;
    }
    return true;
}

static bool take_rest(event_search *q, event_state *s, const int64_t **at)
{
    size_t count = (size_t) * (*at)++;
    s->ends.count = s->late.count = 0;
    for (size_t i = 0; i < count; i++) {
        event_end end = {.job = (uint32_t) * (*at)++};
        end.at = take_time(at);
        if (!vec_push(&s->ends, end))
            return false;
    }
    count = (size_t) * (*at)++;
    for (size_t i = 0; i < count; i++) {
        event_late late = {.group = (uint32_t) * (*at)++};
        late.at = take_time(at);
        if (!vec_push(&s->late, late))
            return false;
    }
    for (int e = 0; e < 2; e++) {
        s->engines[e] = (event_engine){.job = (uint32_t)(**at >> 16), .channel = (uint32_t)(**at & 0xffff)};
        ++*at;
        s->engines[e].gap = take_time(at);
    }
    s->switching = take_time(at);
    s->last_sm = (uint32_t)(**at >> 32);
    s->last_connection = (uint32_t) * (*at)++;
    for (size_t i = 0; i < q->line_count; i++, ++*at)
        s->lines[i] = (event_line){(uint32_t)(**at >> 32), (int32_t)(uint32_t) * *at - 1};
    for (size_t i = 0; q->line_count && i < 3 * q->x->w->stream_count; i++)
        s->stream_line[i] = (int32_t) * (*at)++;
    return true;
}

bool event_unpack(event_search *q, event_state *s, const event_packed *p)
{
    const int64_t *at = p->words;
    for (size_t i = 0; i < q->words; i++)
        s->called[i] = (uint64_t)*at++;
    if (!take_ops(s, &at) || !take_rooms(q, s, &at) || !take_rest(q, s, &at))
        return false;
    s->zone.n = p->n;
    memcpy(s->zone.d, at, (size_t)p->n * p->n * sizeof *at);
    return true;
}
