/* Copies and blocks that start at an instant: C2, C3, X1, A2, G3, R1-R3, looks, and where blocks go. */
#include <stdlib.h>
#include <string.h>

#include "analyze/explore/events/events.h"

/* It ends so long from now; a range is a variable of its own. */
static bool lasts(event_search *q, event_state *s, const explore_job *j, uint64_t block, event_time *end)
{
    int64_t least = j->each ? j->each[block] : j->min_ns, most = j->max_ns;
    if (j->each)
        most = j->each[block] + q->x->noise;
    *end = event_after(q->now, least);
    if (least == most)
        return true;
    *end = (event_time){zone_add(&s->zone, q->now, least, most), 0};
    return end->var != EVENT_NEVER || explore_refuse(q->x, "the order of too many times is open at once");
}

/* Of the ends of a job by one variable only the last matters. */
static bool add_end(event_search *q, event_state *s, uint32_t job, event_time end)
{
    for (size_t i = 0; i < s->ends.count; i++) {
        event_end *other = &s->ends.at[i];
        if (other->job == job && other->at.var == end.var) {
            other->at.off = later(other->at.off, end.off);
            return true;
        }
    }
    q->failed = !vec_push(&s->ends, ((event_end){job, end}));
    return !q->failed;
}

bool event_start_copies(event_search *q, event_state *s)
{
    for (int e = 0; e < 2; e++) {
        event_engine *engine = &s->engines[e];
        event_op *op = engine->job == EXPLORE_NONE && engine->gap.var == EVENT_NEVER ? event_next_copy(q, s, e) : NULL;
        event_time end;
        if (!op)
            continue;
        engine->job = op->job;
        engine->channel = op->line < 0 ? 0 : (uint32_t)op->line;
        op->phase = EVENT_RUNNING;
        op->line = -1;
        op->started = 1;
        if (!lasts(q, s, &q->x->jobs[op->job], 0, &end) || !add_end(q, s, op->job, end))
            return false;
    }
    return true;
}

/* X1, A2: the head of the highest level, but for those that wait for the limit of resident grids. */
static event_op *head(event_search *q, event_state *s)
{
    size_t limit = (size_t)q->x->gpu->limits.resident_grids, resident = 0;
    event_op *first[MAX_LEVELS] = {0};
    for (size_t i = 0; i < s->ops.count; i++) {
        event_op *op = &s->ops.at[i];
        if (!event_kernel(q, op->job))
            continue;
        resident += op->started && op->phase != EVENT_COMPLETE;
        event_op **level = &first[q->x->jobs[op->job].queue];
        if (op->phase == EVENT_QUEUED && (!*level || op->entry < (*level)->entry))
            *level = op;
    }
    for (int l = 0; l < MAX_LEVELS; l++)
        if (first[l] && (!limit || resident < limit || first[l]->started))
            return first[l];
    return NULL;
}

static bool start_block(event_search *q, event_state *s, event_op *op, uint32_t rank)
{
    const explore_job *j = &q->x->jobs[op->job];
    sm_state *sm = &s->sms[rank];
    event_room room = {.job = op->job, .rank = rank, .entry = op->entry, .quarter = sm->next_quarter};
    event_time end;
    if (!lasts(q, s, j, op->started, &end))
        return false;
    op->started++;
    sm_take_one(sm, &q->demands[j->op]);
    if (q->x->gpu->placement == GCAST_PLACE_ROUND_ROBIN)
        s->last_sm = rank;
    room.at = event_after(end, q->x->handover);
    if (!vec_push(&s->rooms, room)) {
        q->failed = true;
        return false;
    }
    return add_end(q, s, op->job, end);
}

/* What fits of the head starts; *all: that was its last block. */
static bool start_head(event_search *q, event_state *s, event_op *op, bool *all)
{
    placement *p = &q->place;
    const explore_job *j = &q->x->jobs[op->job];
    q->set.at = s->sms;
    q->set.last = s->last_sm;
    p->demand = &q->demands[j->op];
    p->mask = event_spec(q, op->job)->mask;
    p->every_sm = p->ordered = true;
    p->wanted = j->blocks - op->started;
    if (!placement_choose(p, &q->set, q->x->gpu->placement, q->x->w)) {
        q->failed = true;
        return false;
    }
    for (uint64_t i = 0; i < p->fit; i++)
        if (!start_block(q, s, op, p->order[i]))
            return false;
    *all = op->started == j->blocks;
    if (*all) {
        op->phase = EVENT_RUNNING;
        s->switching = q->x->switching ? event_after(q->now, q->x->switching) : EVENT_NO_TIME;
    }
    return true;
}

static void close_all(event_search *q, bool closed)
{
    memset(q->set.closed, closed ? 0xff : 0, ((size_t)q->set.count + 63) / 64 * sizeof *q->set.closed);
}

static void open_one(event_search *q, uint32_t rank)
{
    q->set.closed[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

/* A block whose room comes back, and when that is seen. */
typedef struct seen_room {
    event_room room;
    int number; /* of its SM */
    int64_t seen;
} seen_room;

static int by_number(const void *a, const void *b)
{
    const seen_room *x = a, *y = b;
    return x->number - y->number;
}

static int by_sm(const void *a, const void *b)
{
    const seen_room *x = a, *y = b;
    if (x->room.rank != y->room.rank)
        return x->room.rank < y->room.rank ? -1 : 1;
    if (x->room.entry != y->room.entry)
        return x->room.entry < y->room.entry ? -1 : 1;
    return x->room.quarter - y->room.quarter;
}

static int by_seen(const void *a, const void *b)
{
    const seen_room *x = a, *y = b;
    return (x->seen > y->seen) - (x->seen < y->seen);
}

/* All on one TPC: one SM after the other, if it is one block's room on each. */
static bool look_at_tpc(event_search *q, event_state *s, event_op *op, seen_room *back, size_t count)
{
    bool all = false;
    qsort(back, count, sizeof *back, by_number);
    for (size_t i = 1; i < count; i++)
        if (back[i].room.rank == back[i - 1].room.rank)
            return true;
    for (size_t i = 0; i < count && !all; i++) {
        close_all(q, true);
        open_one(q, back[i].room.rank);
        if (!start_head(q, s, op, &all))
            return false;
    }
    return true;
}

/* On several: room is seen block by block. */
static bool look_by_reach(event_search *q, event_state *s, event_op *op, seen_room *back, size_t count)
{
    const gcast_gpu *gpu = q->x->gpu;
    int64_t nth = 0;
    bool all = false;
    qsort(back, count, sizeof *back, by_sm);
    for (size_t i = 0; i < count; i++) {
        seen_room *b = &back[i];
        sm_state *sm = &s->sms[b->room.rank];
        int32_t next = sm->next_quarter;
        nth = i && b->room.rank == b[-1].room.rank ? nth + 1 : 0;
        b->seen = nth * gpu->look_step_ns + (gpu->reach_ns ? gpu->reach_ns[b->number] : 0);
        sm->next_quarter = b->room.quarter;
        sm_take_one(sm, &q->demands[q->x->jobs[b->room.job].op]);
        sm->next_quarter = next;
    }
    qsort(back, count, sizeof *back, by_seen);
    close_all(q, true);
    for (size_t i = 0; i < count; i++) {
        const seen_room *b = &back[i];
        sm_give_one(&s->sms[b->room.rank], &q->demands[q->x->jobs[b->room.job].op], b->room.quarter);
        open_one(q, b->room.rank);
        if (!all && (i + 1 == count || b[1].seen > b->seen) && !start_head(q, s, op, &all))
            return false;
    }
    return true;
}

static bool look(event_search *q, event_state *s, event_op *op)
{
    size_t count = q->back.count;
    int per = q->x->gpu->sms_per_tpc;
    bool sms = false, tpcs = false, ok = true;
    seen_room *back = malloc((count + 1) * sizeof *back);
    if (!back) {
        q->failed = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        back[i] = (seen_room){.room = q->back.at[i], .number = q->set.order[q->back.at[i].rank]};
        sms = sms || back[i].room.rank != back[0].room.rank;
        tpcs = tpcs || back[i].number / per != back[0].number / per;
    }
    if (sms)
        ok = (tpcs ? look_by_reach : look_at_tpc)(q, s, op, back, count);
    close_all(q, false);
    free(back);
    return ok;
}

bool event_start_blocks(event_search *q, event_state *s)
{
    event_op *op;
    bool all = true;
    if (q->x->gpu->look_step_ns && q->back.count > 1 && s->switching.var == EVENT_NEVER && (op = head(q, s)) &&
        !look(q, s, op))
        return false;
    while (all && s->switching.var == EVENT_NEVER && (op = head(q, s)))
        if (!start_head(q, s, op, &all))
            return false;
    return true;
}
