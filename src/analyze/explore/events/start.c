/* Copies and blocks that start at an instant: C2, C3, X1, A2, G3, R1-R3, looks, and where blocks go. */
#include <stdlib.h>

#include "analyze/explore/events/events.h"
#include "simulate/blocks/release_order.h"
#include "simulate/rules/head.h"

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
    size_t resident = 0;
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
    bool limited = grid_limit_reached(q->x->gpu, resident);
    for (int l = 0; l < MAX_LEVELS; l++)
        if (first[l] && (!limited || first[l]->started))
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

/* The head of an instant at which resources are released. */
typedef struct head_dispatch {
    event_search *q;
    event_state *s;
    event_op *op;
} head_dispatch;

static release_answer dispatch_head(void *context)
{
    head_dispatch *head = context;
    bool all = false;
    if (!start_head(head->q, head->s, head->op, &all))
        return RELEASE_FAILED;
    return all ? RELEASE_DONE : RELEASE_WAITING;
}

/* Blocks of the head start while the resources that come back now are seen one after the other. */
static bool look(event_search *q, event_state *s, event_op *op)
{
    size_t count = q->back.count;
    release_spread spread = {0};
    released_block *blocks = malloc((count + 1) * sizeof *blocks);
    if (!blocks) {
        q->failed = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const event_room *room = &q->back.at[i];
        blocks[i] = (released_block){.demand = &q->demands[q->x->jobs[room->job].op],
                                     .entry = room->entry,
                                     .rank = room->rank,
                                     .sm = q->set.order[room->rank],
                                     .quarter = room->quarter};
        release_spread_add(&spread, q->x->gpu, blocks[0].sm, blocks[i].sm);
    }
    head_dispatch head = {q, s, op};
    q->set.at = s->sms;
    bool ok =
        release_in_order(&q->set, q->x->gpu, release_order_of(spread, false), blocks, count, dispatch_head, &head);
    free(blocks);
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
