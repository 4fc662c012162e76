/* While a head waits for room: what ends makes room on one SM at a time, so blocks of
 * the head start there without a look at any other. This is where a simulation spends
 * its time. */
#include "simulate/dispatch/refill.h"

#include "simulate/dispatch/execution_queue.h"
#include "simulate/dispatch/groups.h"
#include "simulate/state/poll.h"

/* The group is o's from now on. */
static inline void hand_over(sim *s, uint32_t o, sim_group *group)
{
    sim_op *from = &s->state[group->op], *to = &s->state[o];
    from->groups--;
    from->resident -= group->count;
    to->groups++;
    to->resident += group->count;
    group->op = o;
    starts(s, o);
}

/* A block ends that was a group alone, so that its SM is where blocks of o go, one after the
 * other while one fits; the first has the group's room. */
static void refill_each(sim *s, uint32_t o, uint32_t g, const tournament_rivals *rivals)
{
    sim_group *group = &s->groups[g];
    uint32_t rank = group->sm;
    sm_state *sm = &s->sms.at[rank];
    const sim_op *x = &s->state[o];
    int32_t quarter = sm->next_quarter;
    if (!sm_exchange(sm, s->state[group->op].demand, group->quarter, x->demand)) {
        tournament_replace(&s->rooms, rivals, TOURNAMENT_OUT);
        drop(s, g);
        return;
    }
    hand_over(s, o, group);
    group->quarter = quarter;
    tournament_replace(&s->rooms, rivals, begin(s, o, rank, quarter));
    while (x->started < s->ops[o].block_count && s->status == GCAST_OK && sm_fits(sm, x->demand))
        start_one(s, o, rank);
    if (x->started == s->ops[o].block_count)
        mark(s, rank);
    else
        unmark(s, rank);
}

/* The same for blocks that take as long as each other: they start together. */
static void refill(sim *s, uint32_t o, uint32_t g)
{
    uint32_t rank = s->groups[g].sm;
    placement *p = &s->place;
    tournament_set(&s->rooms, g, TOURNAMENT_OUT);
    group_give(s, g);
    p->demand = s->state[o].demand;
    p->mask = sim_spec(s, o)->mask;
    p->every_sm = false;
    p->ordered = true;
    p->wanted = s->ops[o].block_count - s->state[o].started;
    if (!placement_choose_one(p, &s->sms, rank, s->w))
        sim_fail_memory(s);
    else
        group_start_placed(s, o);
}

/* As many blocks of o as ended start where those were, without a look at any SM. */
static void restart(sim *s, uint32_t o, sim_group *group, const tournament_rivals *rivals)
{
    gcast_run_op *r = &s->ops[o];
    sim_op *x = &s->state[o];
    if (group->op != o)
        hand_over(s, o, group);
    int64_t duration = lasts(s, o, group->sm, x->started);
    int64_t end = sim_after(s, o, s->now, duration);
    if (group->total == 1 && (r->blocks || s->now < s->window.to))
        record(s, o, x->started, group->sm, (uint32_t)s->sms.at[group->sm].next_quarter, duration);
    for (uint32_t g = tournament_winner(&s->rooms); g != NONE && x->demand->step; g = s->groups[g].next)
        sm_turn(&s->sms.at[s->groups[g].sm], x->demand, s->groups[g].count);
    x->started += group->total;
    s->blocks_started += group->total;
    if (end > x->last_end)
        x->last_end = end;
    if (group->next == NONE)
        s->sms.last = group->sm;
    tournament_replace(&s->rooms, rivals, sim_after(s, o, end, s->gpu->handover_ns));
}

/* Would exactly as many blocks of o fit where this group ends? They would if nothing
 * had room before, the group's blocks need what those of o need, and their warps fill
 * the quarters alike. Blocks that are recorded need to be placed one by one. */
static bool replaces(const sim *s, uint32_t o, const sim_group *group, int64_t time)
{
    const gcast_run_op *r = &s->ops[o];
    bool own = group->op == o;
    if (s->state[group->op].demand != s->state[o].demand || !s->state[o].demand->even ||
        group->total > r->block_count - s->state[o].started)
        return false;
    if (group->total == 1)
        return own || sim_spec(s, o)->mask == GCAST_ALL_SMS;
    return own && !records(s, o, time) && s->gpu->placement != GCAST_PLACE_ROUND_ROBIN;
}

/* The head o waits for room, and the next that comes back does so alone at its time:
 * blocks of o take the place of the group that ends, whatever the policy, or else
 * its SM is the only one to look at. */
static bool again(sim *s, uint32_t o, bool each, int64_t until)
{
    int64_t time = tournament_first(&s->rooms);
    if (time >= until)
        return false;
    uint32_t g = tournament_winner(&s->rooms);
    sim_group *group = &s->groups[g];
    tournament_rivals rivals;
    bool same = replaces(s, o, group, time);
    if (!same && group->next != NONE)
        return false;
    if (tournament_tied(&s->rooms, &rivals))
        return false;
    s->now = time;
    if (same)
        restart(s, o, group, &rivals);
    else if (each && group->count == 1)
        refill_each(s, o, g, &rivals);
    else
        refill(s, o, g);
    return true;
}

void refill_until(sim *s, int64_t until)
{
    uint32_t o = s->blocked;
    if (o == NONE || s->tick.wake || s->sms.largest) /* ticks count starts instant by instant; SMs change their size */
        return;
    const gcast_op *op = sim_spec(s, o);
    bool each = !group_durations_equal(s, op) && op->mask == GCAST_ALL_SMS;
    while (s->status == GCAST_OK && again(s, o, each, until)) {
        if (s->state[o].started == s->ops[o].block_count) {
            execution_dispatched(s, o);
            execution_dispatch(s);
            return;
        }
        sim_poll(s);
    }
}
