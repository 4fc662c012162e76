/* Blocks of one kernel that start together on one SM are a group; groups of a kernel
 * that end together are a chain, one event. What is done once a block is here, to be
 * compiled into its callers. */
#ifndef SIMULATE_DISPATCH_GROUPS_H
#define SIMULATE_DISPATCH_GROUPS_H

#include "simulate/duration.h"
#include "simulate/state/failure.h"
#include "simulate/state/state.h"

/* The number of one group more than there were; NONE without memory. */
uint32_t group_add(sim *s);
/* A group's room comes back. */
void group_give(sim *s, uint32_t g);
/* How long a block of o takes there that sleeps for `duration`. */
int64_t group_sleeps(sim *s, uint32_t o, uint32_t rank, int64_t duration);
/* How long one takes that should take `duration`, where blocks may starve. */
int64_t group_starves(sim *s, uint32_t o, uint32_t rank, int64_t duration);
/* Do all blocks of this op take the same time? */
bool group_durations_equal(const sim *s, const gcast_op *op);
/* Start the blocks of o that s->place names. */
void group_start_placed(sim *s, uint32_t o);

/* Room came back there, or its next quarter moved on: look again. */
static inline void mark(sim *s, uint32_t rank)
{
    s->sms.dirty[rank / 64] |= UINT64_C(1) << (rank % 64);
}

static inline void unmark(sim *s, uint32_t rank)
{
    s->sms.dirty[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

/* Room for n blocks of o on the SM of this rank, as a group in front of `chain`. */
static inline uint32_t take(sim *s, uint32_t o, uint32_t rank, uint32_t n, uint32_t chain)
{
    uint32_t g = s->group_free != NONE ? s->group_free : group_add(s);
    if (g == NONE)
        return chain;
    s->group_free = s->groups[g].next;
    sim_group *group = &s->groups[g];
    sim_op *x = &s->state[o];
    sm_state *sm = &s->sms.at[rank];
    *group = (sim_group){.next = chain,
                         .op = o,
                         .sm = rank,
                         .count = n,
                         .total = n,
                         .quarter = sm->next_quarter,
                         .age = (uint32_t)s->blocks_started};
    if (chain != NONE)
        group->total += s->groups[chain].total;
    if (n == 1)
        sm_take_one(sm, x->demand);
    else
        sm_take(sm, x->demand, n);
    if (x->demand->step) /* the next block starts at another quarter, where it may fit */
        mark(s, rank);
    x->groups++;
    x->resident += n;
    s->groups_live++;
    return g;
}

/* A group's room has been given back. */
static inline void drop(sim *s, uint32_t g)
{
    sim_group *group = &s->groups[g];
    sim_op *x = &s->state[group->op];
    x->groups--;
    x->resident -= group->count;
    s->groups_live--;
    group->count = 0;
    group->next = s->group_free;
    s->group_free = g;
}

/* Are blocks of o written down that start at this time and take as long as each other, all or those in the window? */
static inline bool records(const sim *s, uint32_t o, int64_t time)
{
    const gcast_run_op *r = &s->ops[o];
    if (r->blocks || time >= s->window.to)
        return r->blocks != NULL;
    return time + duration_of(sim_spec(s, o), r->op, r->job, 0, s->options) > s->window.from;
}

static inline void record(sim *s, uint32_t o, uint64_t block, uint32_t rank, uint32_t quarter, int64_t duration)
{
    gcast_block b = {
        .start_ns = s->now, .end_ns = s->now + duration, .sm = (uint32_t)s->sms.order[rank], .quarter = quarter};
    if (s->ops[o].blocks)
        ((gcast_block *)s->ops[o].blocks)[block] = b;
    else if (window_holds(&s->window, b.start_ns, b.end_ns) &&
             !vec_push(&s->window.blocks, ((window_block){b, block, o})))
        sim_fail_memory(s);
}

/* o is about to start blocks. */
static inline void starts(sim *s, uint32_t o)
{
    if (s->state[o].started)
        return;
    s->ops[o].start_ns = s->now;
    s->resident_grids++;
}

/* When the room of blocks of o comes back that start now. */
static inline int64_t room_time(sim *s, uint32_t o, int64_t duration)
{
    int64_t end = sim_after(s, o, s->now, duration);
    if (end > s->state[o].last_end)
        s->state[o].last_end = end;
    return sim_after(s, o, end, s->gpu->handover_ns);
}

/* How long a block of o takes that starts there now. */
static inline int64_t lasts(sim *s, uint32_t o, uint32_t rank, uint64_t block)
{
    const gcast_run_op *r = &s->ops[o];
    int64_t duration = duration_of(sim_spec(s, o), r->op, r->job, block, s->options);
    if (s->tick.wake && sim_spec(s, o)->body == GCAST_BODY_SPIN)
        duration = group_sleeps(s, o, rank, duration);
    return s->starve.sms ? group_starves(s, o, rank, duration) : duration;
}

/* The next block of o starts there. Returns when its room comes back. */
static inline int64_t begin(sim *s, uint32_t o, uint32_t rank, int32_t quarter)
{
    const gcast_run_op *r = &s->ops[o];
    uint64_t block = s->state[o].started++;
    int64_t duration = lasts(s, o, rank, block);
    if (r->blocks || s->now < s->window.to)
        record(s, o, block, rank, (uint32_t)quarter, duration);
    s->blocks_started++;
    s->sms.last = rank;
    return room_time(s, o, duration);
}

/* The same where it has no room yet, as an event of its own. */
static inline void start_one(sim *s, uint32_t o, uint32_t rank)
{
    int32_t quarter = s->sms.at[rank].next_quarter;
    uint32_t g = take(s, o, rank, 1, NONE);
    if (g != NONE)
        tournament_set(&s->rooms, g, begin(s, o, rank, quarter));
}

#endif
