/* The execution engine. A1: a kernel enters the EE queue of its level. X1, A2: only the head of the highest queue that
 * is not empty may dispatch blocks. G3: it leaves the queue when it is fully dispatched.
 *
 * Costs: entering and leaving a queue is O(1). A new head searches every SM once. A head whose blocks did not fit
 * searches only SMs that are dirty. Blocks of one kernel with equal durations that start together are one event: a
 * chain with one group per SM. */
#include "simulate/engine/execution_queue.h"

#include <string.h>

#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"
#include "simulate/engine/block_waits.h"
#include "simulate/engine/child_blocks.h"
#include "simulate/engine/clusters.h"
#include "simulate/engine/graph_nodes.h"
#include "simulate/engine/groups.h"
#include "simulate/engine/state.h"
#include "simulate/engine/workers.h"

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

/* o leaves although it is not the head of its level: kernels in front of it hold it up only in a part of the GPU. */
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

/* No block of o fits on any SM that it may use. If o may use all SMs, no block with at least its demand fits until
 * resources are released. */
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

/* Prepares s->place for the blocks of the head o. */
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

/* Does what placement_choose and group_start_placed do, for a kernel with few blocks left. */
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

/* Dispatches the blocks of the head o that fit. Returns whether o is fully dispatched. */
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

/* Would the head take all free resources, whatever the order in which they are seen? */
static bool execution_takes_all(sim *s)
{
    uint32_t o = head(s);
    if (o == NONE || s->now < s->switch_end_ns)
        return true; /* nothing starts */
    prepare_placement(s, o);
    if (s->state[o].starts_whole) /* the resources that are seen first may be too few for all blocks */
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
        if (!s->state[o].launching && !s->state[o].starts_each) /* else the end of its last block is known later */
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

/* Dispatches blocks of the head alone; false: o is fully dispatched. */
static bool execution_head_starts(sim *s)
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

/* Resources that are released at one time are seen in an order, and the head dispatches blocks in between. A head that
 * takes all free resources dispatches the same blocks in any order: the order is not computed then. */

/* Keeps the groups of a chain for the order of releases, where that counts. */
static void note_chain(sim *s, uint32_t chain)
{
    if (!s->gpu->look_step_ns)
        return;
    for (uint32_t g = chain; g != NONE; g = s->groups[g].next) {
        const sim_group *group = &s->groups[g];
        released_group released = {group->op,  group->rank,    group->count,
                                   group->age, group->quarter, s->sms.order[group->rank]};
        if (!vec_push(&s->released, released))
            sim_fail_memory(s);
    }
}

void released_collect(sim *s)
{
    while (tournament_first(&s->releases) <= s->now) {
        uint32_t chain = tournament_winner(&s->releases);
        tournament_set(&s->releases, chain, TOURNAMENT_OUT);
        note_chain(s, chain);
        for (uint32_t g = chain, next; g != NONE; g = next) {
            next = s->groups[g].next;
            group_release(s, g);
        }
    }
}

/* Lists the blocks of the released groups; false without memory. */
static bool list_blocks(sim *s)
{
    s->released_blocks.count = 0;
    for (size_t i = 0; i < s->released.count; i++) {
        const released_group *group = &s->released.at[i];
        const gcast_op *op = sim_spec(s, group->op);
        released_block block = {.entry = s->state[group->op].entry,
                                .demand = s->state[group->op].demand,
                                .rank = group->rank,
                                .sm = group->sm,
                                .quarter = group->quarter,
                                .age = group->age,
                                .sleeps = s->tick.period_ns && op->body == GCAST_BODY_SPIN &&
                                          op->policy == GCAST_POLICY_HARDWARE && !op->launches &&
                                          !attributes_waits(op) && !is_child(s, group->op)};
        for (uint32_t n = 0; n < group->count; n++) {
            if (!vec_push(&s->released_blocks, block))
                return false;
            block.quarter = sm_quarter_after(block.quarter, block.demand, 1);
        }
    }
    return true;
}

static release_answer dispatch_between_releases(void *context)
{
    return execution_head_starts(context) ? RELEASE_WAITING : RELEASE_DONE;
}

void released_dispatch(sim *s)
{
    release_spread spread = {0};
    s->tick.after_release = s->released.count > 0;
    for (size_t i = 1; i < s->released.count; i++)
        release_spread_add(&spread, s->gpu, s->released.at[0].sm, s->released.at[i].sm);
    release_order order = release_order_of(spread, s->tick.period_ns);
    if (order != RELEASE_AT_ONCE && !s->clusters_queued && !execution_takes_all(s)) {
        s->in_release_order = true;
        if (list_blocks(s))
            release_in_order(&s->sms, s->gpu, order, s->released_blocks.at, s->released_blocks.count,
                             dispatch_between_releases, s);
        else
            sim_fail_memory(s);
        s->in_release_order = false;
    }
    s->released.count = 0;
    execution_dispatch(s);
}
