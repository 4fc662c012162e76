/* Starts at an instant: rules C2, C3, X1, A2, G3, R1-R3, release order, and placement. */
#include "analyze/explore/events/dispatch.h"

#include <stdlib.h>

#include "analyze/explore/events/queues.h"
#include "base/integers.h"
#include "simulate/blocks/release_order.h"
#include "simulate/queue_rules.h"

/* When a block or copy that starts now ends: at a new variable if its duration is a range. */
static bool find_end(event_search *q, event_state *s, const explore_job *j, uint64_t block, zone_time *end)
{
    int64_t min_ns = j->each_ns ? j->each_ns[block] : j->min_ns;
    int64_t max_ns = j->each_ns ? j->each_ns[block] + j->extra_ns : j->max_ns;
    *end = zone_after(q->now, min_ns);
    if (min_ns == max_ns)
        return true;
    *end = (zone_time){zone_add(&s->zone, q->now, min_ns, max_ns), 0};
    return !zone_is_never(*end) || explore_refuse(q->problem, "the order of too many events is open at once");
}

/* Adds an end; of a job's ends at one variable only the last one matters. False without memory. */
static bool add_end(event_search *q, event_state *s, uint32_t job, zone_time end)
{
    for (size_t i = 0; i < s->ends.count; i++) {
        event_end *other = &s->ends.at[i];
        if (other->job == job && other->time.var == end.var) {
            other->time.offset = max_i64(other->time.offset, end.offset);
            return true;
        }
    }
    return vec_push(&s->ends, ((event_end){job, end})) || event_no_memory(q);
}

bool event_start_copies(event_search *q, event_state *s)
{
    for (int e = 0; e < COPY_ENGINES; e++) {
        event_engine *engine = &s->engines[e];
        bool is_free = engine->job == EXPLORE_NONE && zone_is_never(engine->gap_end);
        event_op *op = is_free ? event_next_copy(q, s, e) : NULL;
        zone_time end;
        if (!op)
            continue;
        engine->job = op->job;
        engine->channel = op->line < 0 ? 0 : (uint32_t)op->line;
        op->phase = EVENT_FULLY_DISPATCHED;
        op->line = -1;
        op->started_count = 1;
        if (!find_end(q, s, &q->problem->jobs[op->job], 0, &end) || !add_end(q, s, op->job, end))
            return false;
    }
    return true;
}

/* The head of the highest level whose head need not wait for the limit of resident grids (X1, A2); NULL: none. */
static event_op *head(event_search *q, event_state *s)
{
    size_t resident = 0;
    event_op *first[MAX_LEVELS] = {0};
    for (size_t i = 0; i < s->ops.count; i++) {
        event_op *op = &s->ops.at[i];
        if (!event_is_kernel(q, op->job))
            continue;
        resident += op->started_count && op->phase < EVENT_COMPLETE;
        event_op **level = &first[q->problem->jobs[op->job].queue];
        if (op->phase == EVENT_ENTERED && (!*level || op->entry_number < (*level)->entry_number))
            *level = op;
    }
    bool limited = grid_limit_reached(q->problem->gpu, resident);
    for (int l = 0; l < MAX_LEVELS; l++)
        if (first[l] && (!limited || first[l]->started_count))
            return first[l];
    return NULL;
}

static bool start_block(event_search *q, event_state *s, event_op *op, uint32_t rank)
{
    const explore_job *j = &q->problem->jobs[op->job];
    sm_state *sm = &s->sms[rank];
    event_resident block = {
        .job = op->job, .rank = rank, .entry_number = op->entry_number, .quarter = sm->next_quarter};
    zone_time end;
    if (!find_end(q, s, j, op->started_count, &end))
        return false;
    op->started_count++;
    sm_take_one(sm, &q->demands[j->op]);
    if (q->problem->gpu->placement == GCAST_PLACE_ROUND_ROBIN)
        s->last_sm = rank;
    block.freed = zone_after(end, q->problem->handover_ns);
    if (!vec_push(&s->residents, block))
        return event_no_memory(q);
    return add_end(q, s, op->job, end);
}

/* Starts the blocks of the head that fit; *all: it is now fully dispatched. */
static bool start_head(event_search *q, event_state *s, event_op *op, bool *all)
{
    placement *p = &q->placement;
    const explore_job *j = &q->problem->jobs[op->job];
    q->sms.at = s->sms;
    q->sms.last = s->last_sm;
    p->demand = &q->demands[j->op];
    p->mask = event_op_of(q, op->job)->mask;
    p->every_sm = p->ordered = true;
    p->wanted = j->block_count - op->started_count;
    if (!placement_choose(p, &q->sms, q->problem->gpu->placement, q->problem->w))
        return event_no_memory(q);
    for (uint64_t i = 0; i < p->fit; i++)
        if (!start_block(q, s, op, p->order[i]))
            return false;
    *all = op->started_count == j->block_count;
    if (*all) {
        op->phase = EVENT_FULLY_DISPATCHED;
        s->switch_end = q->problem->switch_ns ? zone_after(q->now, q->problem->switch_ns) : ZONE_NEVER;
    }
    return true;
}

/* The head that starts blocks while resources are released. */
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

/* Starts blocks of the head while it sees freed resources one after the other. */
static bool start_in_release_order(event_search *q, event_state *s, event_op *op)
{
    size_t count = q->freed.count;
    release_spread spread = {0};
    released_block *blocks = malloc((count + 1) * sizeof *blocks);
    if (!blocks)
        return event_no_memory(q);
    for (size_t i = 0; i < count; i++) {
        const event_resident *freed = &q->freed.at[i];
        blocks[i] = (released_block){.demand = &q->demands[q->problem->jobs[freed->job].op],
                                     .entry = freed->entry_number,
                                     .rank = freed->rank,
                                     .sm = q->sms.order[freed->rank],
                                     .quarter = freed->quarter};
        release_spread_add(&spread, q->problem->gpu, blocks[0].sm, blocks[i].sm);
    }
    head_dispatch head = {q, s, op};
    q->sms.at = s->sms;
    bool ok = release_in_order(&q->sms, q->problem->gpu, release_order_of(spread, false), blocks, count, dispatch_head,
                               &head);
    free(blocks);
    return ok;
}

bool event_start_blocks(event_search *q, event_state *s)
{
    event_op *op;
    bool all = true;
    if (q->problem->gpu->look_step_ns && q->freed.count > 1 && zone_is_never(s->switch_end) && (op = head(q, s)) &&
        !start_in_release_order(q, s, op))
        return false;
    while (all && zone_is_never(s->switch_end) && (op = head(q, s)))
        if (!start_head(q, s, op, &all))
            return false;
    return true;
}
