/* While the blocks of a head fit nowhere, each end of a group makes resources free on its SM alone, so that blocks of
 * the head are dispatched there without a search of other SMs. This is where a simulation spends its time. */
#include "simulate/dispatch/refill.h"

#include "simulate/dispatch/execution_queue.h"
#include "simulate/dispatch/groups.h"
#include "simulate/state/poll.h"

/* The group is one of o from now on. */
static inline void give_group(sim *s, uint32_t o, sim_group *group)
{
    sim_op *ended = &s->state[group->op], *next = &s->state[o];
    ended->group_count--;
    next->group_count++;
    if (s->launch) {
        launch_blocks_resident(s, group->op, group->rank, -(int64_t)group->count);
        launch_blocks_resident(s, o, group->rank, group->count);
    }
    group->op = o;
    kernel_starts(s, o);
}

/* A group of one block ends. Blocks of o are dispatched on its SM one after the other, as long as one fits; the first
 * one takes over the group. */
static void refill_each(sim *s, uint32_t o, uint32_t g, const tournament_rivals *rivals)
{
    sim_group *group = &s->groups[g];
    uint32_t rank = group->rank;
    sm_state *sm = &s->sms.at[rank];
    const sim_op *x = &s->state[o];
    int32_t quarter = sm->next_quarter;
    if (!sm_replace(sm, s->state[group->op].demand, group->quarter, x->demand)) {
        tournament_replace(&s->releases, rivals, TOURNAMENT_OUT);
        group_drop(s, g);
        return;
    }
    give_group(s, o, group);
    group->quarter = quarter;
    tournament_replace(&s->releases, rivals, block_dispatch(s, o, rank, quarter));
    while (x->dispatched < x->launch_blocks && s->status == GCAST_OK && sm_fits(sm, x->demand))
        block_start(s, o, rank);
    if (x->dispatched == x->launch_blocks)
        mark_dirty(s, rank);
    else
        clear_dirty(s, rank);
}

/* A group ends. Blocks of o, which all take the same time, are dispatched on its SM together. */
static void refill_together(sim *s, uint32_t o, uint32_t g)
{
    uint32_t rank = s->groups[g].rank;
    placement *p = &s->place;
    tournament_set(&s->releases, g, TOURNAMENT_OUT);
    group_release(s, g);
    p->demand = s->state[o].demand;
    p->mask = sim_spec(s, o)->mask;
    p->every_sm = false;
    p->ordered = true;
    p->wanted = s->state[o].launch_blocks - s->state[o].dispatched;
    if (!placement_choose_one(p, &s->sms, rank, s->w))
        sim_fail_memory(s);
    else
        group_start_placed(s, o);
}

/* A chain ends. As many blocks of o as ended take over their places, without a search. */
static void replace_chain(sim *s, uint32_t o, sim_group *group, const tournament_rivals *rivals)
{
    sim_op *x = &s->state[o];
    if (group->op != o)
        give_group(s, o, group);
    int64_t duration = block_duration_ns(s, o, group->rank, x->dispatched);
    int64_t end = sim_add_ns(s, o, s->now, duration);
    if (group->chain_blocks == 1 && (s->blocks || s->now < s->window.end_ns))
        block_record(s, o, x->dispatched, group->rank, (uint32_t)s->sms.at[group->rank].next_quarter, duration);
    for (uint32_t g = tournament_winner(&s->releases); g != NONE && x->demand->quarter_step; g = s->groups[g].next)
        sm_advance_quarter(&s->sms.at[s->groups[g].rank], x->demand, s->groups[g].count);
    for (uint32_t g = tournament_winner(&s->releases); g != NONE && s->launch; g = s->groups[g].next)
        capacity_changed(&s->launch->capacity, s->groups[g].rank);
    x->dispatched += group->chain_blocks;
    s->blocks_dispatched += group->chain_blocks;
    if (end > x->last_end_ns)
        x->last_end_ns = end;
    if (group->next == NONE)
        s->sms.last = group->rank;
    tournament_replace(&s->releases, rivals, sim_add_ns(s, o, end, s->gpu->handover_ns));
}

/* Do exactly as many blocks of o fit where this chain ends? They do if none fitted before, the blocks of both have the
 * same demand, and every quarter gets as many of their warps. Blocks that are recorded have to be placed one by one. */
static bool may_replace_chain(const sim *s, uint32_t o, const sim_group *group, int64_t time)
{
    bool own = group->op == o;
    if (s->state[group->op].demand != s->state[o].demand || !s->state[o].demand->fills_quarters ||
        group->chain_blocks > s->state[o].launch_blocks - s->state[o].dispatched)
        return false;
    if (group->chain_blocks == 1)
        return own || sim_spec(s, o)->mask == GCAST_ALL_SMS;
    return own && !is_recorded(s, o, time) && s->gpu->placement != GCAST_PLACE_ROUND_ROBIN;
}

/* The head o is blocked. If the next chain ends before `until` and no other one at the same time, blocks of o take its
 * place, whatever the placement policy, or are dispatched on its SM, which is the only one where they may fit. False
 * where that is not so, and nothing was done. `each`: every block is dispatched by itself. */
static bool refill_next(sim *s, uint32_t o, bool each, int64_t until)
{
    int64_t time = tournament_first(&s->releases);
    if (time >= until)
        return false;
    uint32_t g = tournament_winner(&s->releases);
    sim_group *group = &s->groups[g];
    tournament_rivals rivals;
    bool replaces = may_replace_chain(s, o, group, time);
    if (!replaces && group->next != NONE)
        return false;
    if (tournament_tied(&s->releases, &rivals))
        return false;
    s->now = time;
    if (replaces)
        replace_chain(s, o, group, &rivals);
    else if (each && group->count == 1)
        refill_each(s, o, g, &rivals);
    else
        refill_together(s, o, g);
    return true;
}

/* Goes on with the next head if o is fully dispatched. */
static bool refill_is_done(sim *s, uint32_t o)
{
    if (s->state[o].dispatched < s->state[o].launch_blocks)
        return false;
    execution_dispatched(s, o);
    execution_dispatch(s);
    return true;
}

/* The head o has a plan: workers start one after the other, as long as none looks for its next job. */
static void refill_workers(sim *s, uint32_t o, int64_t until)
{
    while (s->status == GCAST_OK) {
        int64_t time = tournament_first(&s->releases);
        uint32_t g = tournament_winner(&s->releases);
        tournament_rivals rivals;
        if (time >= until || time >= tournament_first(&s->job_ends) || s->groups[g].next != NONE ||
            tournament_tied(&s->releases, &rivals))
            return;
        s->now = time;
        refill_together(s, o, g);
        if (refill_is_done(s, o))
            return;
        sim_poll(s);
    }
}

void refill_until(sim *s, int64_t until)
{
    uint32_t o = s->blocked;
    if (o == NONE || s->tick.period_ns ||
        s->sms.largest) /* sleeping blocks are counted at each time; SMs change size */
        return;
    const gcast_op *op = sim_spec(s, o);
    if (s->state[o].launching || s->state[o].starts_each || s->state[o].starts_whole)
        return; /* decisions, or what blocks wait for, come between its blocks; or all start at once */
    if (op->policy != GCAST_POLICY_HARDWARE) {
        refill_workers(s, o, until);
        return;
    }
    bool each = !group_durations_equal(s, o) && op->mask == GCAST_ALL_SMS;
    while (s->status == GCAST_OK && refill_next(s, o, each, until)) {
        if (refill_is_done(s, o))
            return;
        sim_poll(s);
    }
}
