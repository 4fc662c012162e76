/* Blocks of one kernel that are dispatched together on one SM are a group. Groups of a kernel that end together are a
 * chain, which is one event. Functions that are called for every block are inline here. */
#ifndef SIMULATE_ENGINE_GROUPS_H
#define SIMULATE_ENGINE_GROUPS_H

#include "simulate/duration.h"
#include "simulate/engine/child_blocks.h"
#include "simulate/engine/launch_state.h"
#include "simulate/engine/state.h"

/* The number of a new group behind all others; NONE without memory. */
uint32_t group_new(sim *s);
/* The blocks of a group release their resources. */
void group_release(sim *s, uint32_t g);

/* block_duration_ns where blocks may sleep, starve or be a child's. */
int64_t block_other_duration_ns(sim *s, uint32_t o, uint32_t rank, uint64_t block);
/* Do all blocks of o take the same time? Workers need not, nor blocks that launch. */
bool group_durations_equal(const sim *s, uint32_t o);
/* How long a block of o takes, if all take the same time. */
int64_t group_duration_ns(const sim *s, uint32_t o);
/* Blocks of o are about to be dispatched as s->place says: o starts with its first ones, and empty SMs may change
 * size. */
void group_begin_placed(sim *s, uint32_t o);
/* Dispatches the blocks of o as s->place says. */
void group_start_placed(sim *s, uint32_t o);

/* Resources of this SM were released, or its next quarter moved: a head that was blocked may fit there. */
static inline void mark_dirty(sim *s, uint32_t rank)
{
    s->sms.dirty[rank / 64] |= UINT64_C(1) << (rank % 64);
}

static inline void clear_dirty(sim *s, uint32_t rank)
{
    s->sms.dirty[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

/* n blocks of o take resources of the SM, as a group in front of `chain`. Returns the first group of the chain. */
static inline uint32_t group_start(sim *s, uint32_t o, uint32_t rank, uint32_t n, uint32_t chain)
{
    uint32_t g = s->free_group != NONE ? s->free_group : group_new(s);
    if (g == NONE)
        return chain;
    s->free_group = s->groups[g].next;
    sim_group *group = &s->groups[g];
    sim_op *x = &s->state[o];
    sm_state *sm = &s->sms.at[rank];
    *group = (sim_group){.next = chain,
                         .op = o,
                         .rank = rank,
                         .count = n,
                         .chain_blocks = n,
                         .quarter = sm->next_quarter,
                         .age = (uint32_t)s->blocks_dispatched};
    if (chain != NONE)
        group->chain_blocks += s->groups[chain].chain_blocks;
    if (n == 1)
        sm_take_one(sm, x->demand);
    else
        sm_take(sm, x->demand, n);
    if (x->demand->quarter_step) /* the next block starts at another quarter, where it may fit */
        mark_dirty(s, rank);
    x->group_count++;
    s->blocks_resident += n;
    s->live_groups++;
    if (s->launch)
        launch_blocks_resident(s, o, rank, n);
    return g;
}

/* The resources of a group have been released: it joins the free groups. */
static inline void group_drop(sim *s, uint32_t g)
{
    sim_group *group = &s->groups[g];
    sim_op *x = &s->state[group->op];
    if (s->launch)
        launch_blocks_resident(s, group->op, group->rank, -(int64_t)group->count);
    x->group_count--;
    s->blocks_resident -= group->count;
    s->live_groups--;
    group->count = 0;
    group->next = s->free_group;
    s->free_group = g;
}

/* Are blocks of o that start at this time recorded? All blocks of o take the same time. */
static inline bool is_recorded(const sim *s, uint32_t o, int64_t time)
{
    const sim_op *x = &s->state[o];
    if (s->blocks || time >= s->window.end_ns || is_child(s, o)) /* children are in no window */
        return s->blocks != NULL;
    return time + duration_of(sim_spec(s, o), x->op, x->job, 0, s->options) > s->window.start_ns;
}

/* A block of this group, as it is recorded. */
static inline gcast_block group_block(const sim *s, const sim_group *group, int64_t start, int64_t end)
{
    return (gcast_block){.start_ns = start,
                         .end_ns = end,
                         .sm = (uint32_t)s->sms.order[group->rank],
                         .quarter = (uint32_t)group->quarter};
}

/* Records a block of o, where all blocks are recorded or it runs in the window. */
static inline void block_store(sim *s, uint32_t o, uint64_t block, gcast_block b)
{
    if (is_child(s, o)) {
        if (s->blocks)
            child_block_record(s, o, block, b);
    } else if (s->blocks)
        s->blocks[s->ops[o].blocks - s->blocks + (ptrdiff_t)block] = b;
    else if (!window_add(&s->window, o, block, b))
        sim_fail_record(s);
}

/* Records a block that starts now. */
static inline void block_record(sim *s, uint32_t o, uint64_t block, uint32_t rank, uint32_t quarter, int64_t duration)
{
    gcast_block b = {
        .start_ns = s->now, .end_ns = s->now + duration, .sm = (uint32_t)s->sms.order[rank], .quarter = quarter};
    block_store(s, o, block, b);
}

/* Blocks of o are about to be dispatched; if they are its first ones, o starts. */
static inline void kernel_starts(sim *s, uint32_t o)
{
    if (s->state[o].dispatched)
        return;
    if (is_child(s, o)) {
        child_of(s, o)->start_ns = s->now;
        s->resident_grids += !child_of(s, o)->is_rest;
        return;
    }
    if (s->ops[o].start_ns < 0) /* a repair is not the first launch */
        s->ops[o].start_ns = s->now;
    s->resident_grids++;
}

/* When blocks of o that start now release their resources. */
static inline int64_t block_release_ns(sim *s, uint32_t o, int64_t duration)
{
    int64_t end = sim_add_ns(s, o, s->now, duration);
    if (end > s->state[o].last_end_ns)
        s->state[o].last_end_ns = end;
    return sim_add_ns(s, o, end, s->gpu->handover_ns);
}

/* How long a block of o takes that starts now on the SM of this rank. */
static inline int64_t block_duration_ns(sim *s, uint32_t o, uint32_t rank, uint64_t block)
{
    const sim_op *x = &s->state[o];
    return s->durations_differ ? block_other_duration_ns(s, o, rank, block)
                               : duration_of(sim_spec(s, o), x->op, x->job, block, s->options);
}

/* A block of o is dispatched, in resources that it has been given. Returns when it releases them. */
static inline int64_t block_dispatch_as(sim *s, uint32_t o, uint32_t rank, int32_t quarter, uint64_t block)
{
    int64_t duration = block_duration_ns(s, o, rank, block);
    if (s->blocks || s->now < s->window.end_ns)
        block_record(s, o, block, rank, (uint32_t)quarter, duration);
    s->blocks_dispatched++;
    s->sms.last = rank;
    return block_release_ns(s, o, duration);
}

/* Dispatches the next block of o, as block_dispatch_as does. */
static inline int64_t block_dispatch(sim *s, uint32_t o, uint32_t rank, int32_t quarter)
{
    return block_dispatch_as(s, o, rank, quarter, s->state[o].dispatched++);
}

/* The next block of o takes resources of the SM and is dispatched, as a chain of its own. */
static inline void block_start(sim *s, uint32_t o, uint32_t rank)
{
    int32_t quarter = s->sms.at[rank].next_quarter;
    uint32_t g = group_start(s, o, rank, 1, NONE);
    if (g != NONE)
        tournament_set(&s->releases, g, block_dispatch(s, o, rank, quarter));
}

#endif
