/* The execution engine. A1: a kernel enters the EE queue of its level. X1, A2: only the head of the highest queue that
 * is not empty may dispatch blocks. G3: it leaves the queue when it is fully dispatched.
 *
 * Costs: entering and leaving a queue is O(1). A new head searches every SM once. A head whose blocks did not fit
 * searches only SMs that are dirty. Blocks of one kernel with equal durations that start together are one event: a
 * chain with one group per SM. */
#include "simulate/dispatch/execution_queue.h"

#include <string.h>

#include "model/gpu/level.h"
#include "model/workload/mask.h"
#include "simulate/dispatch/cluster_queue.h"
#include "simulate/dispatch/groups.h"
#include "simulate/dispatch/plan_launch.h"
#include "simulate/dispatch/workers.h"
#include "simulate/graph/graph_nodes.h"
#include "simulate/launch/child_blocks.h"
#include "simulate/state/failure.h"
#include "simulate/state/fifo.h"
#include "simulate/waits/block_waits.h"

#define MAX_SMALL 4 /* blocks that are placed one by one */

void execution_enter_level(sim *s, uint32_t o, int level)
{
    s->state[o].level = level;
    fifo_add(s, &s->levels[level], o);
    s->nonempty_levels |= UINT64_C(1) << level;
    s->queued_count++;
}

void execution_enter(sim *s, uint32_t o)
{
    const gcast_stream *stream = &s->w->streams[sim_spec(s, o)->stream];
    int level = sim_spec(s, o)->cooperative ? 0 : level_of_priority(s->gpu, stream->priority);
    if (sim_spec(s, o)->policy != GCAST_POLICY_HARDWARE && !sim_plan_launch(s, o))
        plan_launch_start(s, o);
    if (sim_spec(s, o)->launches)
        parent_start(s, o);
    if (s->clusters)
        clusters_enter(s, o);
    execution_enter_level(s, o, level);
}

/* The rest of a block that waited for its children is no grid of its own. */
static bool is_rest(const sim *s, uint32_t o)
{
    return s->launch && is_child(s, o) && child_of(s, o)->is_rest;
}

/* X1, A2: the head of the highest queue. A head that waits for the limit of resident grids is passed over, as only
 * kernels that are resident can end its wait. */
static uint32_t head(const sim *s)
{
    bool limited = grid_limit_reached(s->gpu, s->resident_grids);
    for (uint64_t bits = s->nonempty_levels; bits; bits &= bits - 1) {
        uint32_t o = s->levels[__builtin_ctzll(bits)].first;
        if (!limited || s->state[o].dispatched || is_rest(s, o))
            return o;
    }
    return NONE;
}

/* o is not the head of its level: it leaves from behind kernels that hold it up only in a part of the GPU. */
static void leave_from_within(sim *s, sim_fifo *queue, uint32_t o)
{
    uint32_t before = queue->first;
    while (s->state[before].queue_next != o)
        before = s->state[before].queue_next;
    s->state[before].queue_next = s->state[o].queue_next;
    if (queue->last == o)
        queue->last = before;
}

static void leave(sim *s, uint32_t o)
{
    sim_fifo *queue = &s->levels[s->state[o].level];
    if (queue->first == o)
        fifo_drop(s, queue);
    else
        leave_from_within(s, queue, o);
    if (queue->first != NONE && is_child(s, queue->first))
        child_prefetch(s, queue->first);
    if (queue->first == NONE)
        s->nonempty_levels &= ~(UINT64_C(1) << s->state[o].level);
    s->queued_count--;
}

/* No block of o fits on any SM that it may use. Until resources are released, no block with at least its demand does;
 * that is known only if o may use all SMs. */
static void set_blocked(sim *s, uint32_t o)
{
    s->blocked = o;
    s->blocked_demand = sim_spec(s, o)->mask == GCAST_ALL_SMS && !s->state[o].starts_whole ? s->state[o].demand : NULL;
    memset(s->sms.dirty, 0, ((size_t)s->sms.count + 63) / 64 * sizeof *s->sms.dirty);
}

/* Is it known that a block with this demand fits on no SM that is not dirty? */
static bool demand_is_blocked(const sim *s, const sm_demand *d)
{
    return s->blocked_demand && sm_demand_covers(d, s->blocked_demand) &&
           (!s->sms.largest || d->size.min_bytes >= s->blocked_demand->size.min_bytes);
}

/* Sets what is to be placed of the head o, and where blocks may fit. */
static void prepare_placement(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    placement *p = &s->place;
    p->demand = s->state[o].demand;
    p->mask = op->mask;
    p->every_sm = (s->blocked != o && !demand_is_blocked(s, p->demand)) || s->state[o].starts_whole;
    p->ordered = !group_durations_equal(s, o) || is_recorded(s, o, s->now);
    p->wanted = s->state[o].launch_blocks - s->state[o].dispatched;
    if (p->is_random)
        p->draw = (placement_draw){s->options->placement_seed, s->state[o].op, s->state[o].job, s->state[o].dispatched};
    if (p->is_random && is_rest(s, o))
        p->draw.block = child_of(s, o)->parent_block;
}

/* Can the blocks of o that are left be placed one by one, without a search of all SMs? */
static bool is_small(const sim *s, uint32_t o)
{
    return s->launch && s->state[o].launch_blocks - s->state[o].dispatched <= MAX_SMALL && !s->in_release_order &&
           !s->place.is_random && !s->state[o].starts_each &&
           capacity_knows(&s->sms, s->state[o].demand, s->gpu->placement);
}

/* placement_choose and group_start_placed for a kernel of few blocks. */
static void dispatch_small(sim *s, uint32_t o)
{
    placement *p = &s->place;
    const gcast_mask *mask = mask_at(s->w, sim_spec(s, o)->mask);
    p->demand = s->state[o].demand;
    while (s->state[o].dispatched < s->state[o].launch_blocks && s->status == GCAST_OK) {
        uint32_t rank = capacity_choose(&s->launch->capacity, &s->sms, p->demand, s->gpu->placement, mask);
        if (rank == CAPACITY_NO_SM)
            return;
        p->fit = p->pick_count = p->counts[0] = 1;
        p->picks[0] = p->order[0] = s->sms.last = rank;
        group_start_placed(s, o);
        capacity_block_placed(&s->launch->capacity, p->demand, rank);
    }
}

void execution_start_fitting(sim *s, uint32_t o)
{
    prepare_placement(s, o);
    if (s->state[o].starts_whole && placement_capacity(&s->place, &s->sms, s->w) < s->place.wanted)
        s->place.fit = 0;
    else if (!placement_choose(&s->place, &s->sms, s->gpu->placement, s->w))
        sim_fail_memory(s);
    else if (s->state[o].starts_each)
        block_waits_start(s, o);
    else
        group_start_placed(s, o);
}

/* Dispatches the blocks of the head o that fit; true: o is fully dispatched. */
static bool dispatch_head(sim *s, uint32_t o)
{
    if (is_small(s, o))
        dispatch_small(s, o);
    else
        execution_start_fitting(s, o);
    if (s->state[o].dispatched == s->state[o].launch_blocks)
        return true;
    if (!s->in_release_order)
        set_blocked(s, o);
    return false;
}

bool execution_takes_all(sim *s)
{
    uint32_t o = head(s);
    if (o == NONE || s->now < s->switch_end_ns)
        return true; /* nothing starts */
    prepare_placement(s, o);
    if (s->state[o].starts_whole) /* the room that is seen first may not do for all of it */
        return false;
    if (s->sms.largest) /* an SM keeps its size of shared memory until the last release is seen */
        return false;
    if (s->place.ordered || s->gpu->placement == GCAST_PLACE_ROUND_ROBIN)
        return false;
    uint64_t max_blocks = (uint64_t)s->sms.count * s->state[o].demand->max_blocks;
    return s->place.wanted >= max_blocks || s->place.wanted >= placement_capacity(&s->place, &s->sms, s->w);
}

/* The last block of o ends at a time that is known now. */
static void set_end(sim *s, uint32_t o)
{
    int64_t end = s->state[o].last_end_ns;
    if (!is_child(s, o))
        s->ops[o].end_ns = end;
    sim_push(s, &s->events, end, EVENT_DONE, o);
}

void execution_dispatched(sim *s, uint32_t o)
{
    if (sim_plan_launch(s, o)) {
        workers_dispatched(s, o);
    } else {
        if (is_child(s, o))
            child_dispatched(s, o);
        else
            s->ops[o].dispatched_ns = s->now;
        if (!s->state[o].launching && !s->state[o].starts_each) /* else it is known later when its last block ends */
            set_end(s, o);
        if (s->waits && !is_child(s, o))
            block_waits_dispatched(s, o);
        if (s->graph && !is_child(s, o))
            graph_dispatched(s, o);
    }
    s->blocked = NONE;
    s->switch_end_ns = sim_add_ns(s, o, s->now, s->gpu->switch_ns);
    leave(s, o);
}

bool execution_head_starts(sim *s)
{
    uint32_t o = head(s);
    if (!dispatch_head(s, o))
        return true;
    execution_dispatched(s, o);
    return false;
}

void execution_dispatch(sim *s)
{
    if (s->clusters_queued) {
        clusters_dispatch(s);
        return;
    }
    for (uint32_t o;
         s->status == GCAST_OK && s->now >= s->switch_end_ns && (o = head(s)) != NONE && dispatch_head(s, o);)
        execution_dispatched(s, o);
}
