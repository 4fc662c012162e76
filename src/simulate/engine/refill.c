/* While the blocks of a head fit nowhere, each end of a group makes resources free on its SM alone, so that blocks of
 * the head are dispatched there without a search of other SMs. A simulation spends its time here. Equal waves of a
 * kernel that is alone are skipped. */
#include "simulate/engine/refill.h"

#include "base/integers.h"
#include "simulate/duration.h"
#include "simulate/engine/execution_queue.h"
#include "simulate/engine/groups.h"
#include "simulate/engine/state.h"

/* The group becomes one of o. */
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

/* A group of one block ends. Blocks of o are dispatched on its SM one by one, as long as one fits; the first takes over
 * the group. */
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

/* A chain ends. As many blocks of o as it had take over its groups, without a search. */
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
 * same demand, and their warps fill all quarters equally. Blocks that are recorded have to be placed one by one. */
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

/* The head o is blocked. If the next chain ends before `until`, and no other at the same time, blocks of o take over
 * its groups, whatever the placement policy, or are dispatched on its SM, the only one where they may fit. Else returns
 * false, and nothing is done. `each`: every block is dispatched by itself. */
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

/* Is o fully dispatched? Then its successors are dispatched too. */
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
    if (o == NONE || s->tick.period_ns || s->sms.largest)
        return; /* sleeping blocks are counted at each time; SMs change size */
    const gcast_op *op = sim_spec(s, o);
    if (s->state[o].launching || s->state[o].starts_each || s->state[o].starts_whole)
        return; /* decisions or waits come between its blocks; or all start at once */
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

/* A kernel alone on the GPU repeats its waves: where blocks end, others start in the same places, and end one period
 * (duration and hand-over) later. As many periods as pass before anything else can happen are skipped: every end moves
 * by their length.
 *
 * That is exact only if each SM takes exactly as many blocks as ended on it. Without quarters it does: nothing fitted
 * before, and a group that ends makes room for an equal one. With quarters it does if all quarters have the same number
 * of the group's warps, or if the group filled the SM. It may not where the placement is round robin on several SMs, as
 * the next wave may begin at another SM, nor where SMs may change the size of their shared memory.
 *
 * Where blocks of a window are recorded, waves before it and after it are skipped. */

/* Does every SM take as many blocks of o as end on it? */
static bool repeats(sim *s, uint32_t o)
{
    const sm_demand *d = s->state[o].demand;
    if (d->fills_quarters)
        return true;
    for (uint32_t i = 0; i < s->group_count; i++) {
        const sim_group *group = &s->groups[i];
        if (group->count && group->count != d->max_blocks &&
            (uint64_t)group->count * (uint32_t)d->warps % GCAST_QUARTERS)
            return false;
    }
    return true;
}

/* How much time from now on may be skipped: blocks that are skipped, which take `duration`, must end before the
 * window. */
static int64_t skippable_ns(const sim *s, int64_t next, int64_t duration)
{
    int64_t span = next == INT64_MAX ? INT64_MAX : next - 1 - s->now;
    if (s->now >= s->window.end_ns)
        return span;
    int64_t before = s->window.start_ns - s->now - duration;
    return before < span ? before : span;
}

void waves_skip(sim *s, int64_t next)
{
    uint32_t o = s->blocked;
    if (o == NONE || s->sms.largest || !s->state[o].group_count || s->queued_count != 1 ||
        s->live_groups != s->state[o].group_count)
        return;
    sim_op *x = &s->state[o];
    if (s->blocks || x->waves_differ || !group_durations_equal(s, o) ||
        (s->gpu->placement == GCAST_PLACE_ROUND_ROBIN && s->sms.count > 1))
        return;
    int64_t duration = group_duration_ns(s, o), period = duration + s->gpu->handover_ns;
    uint64_t waves = (x->launch_blocks - x->dispatched - 1) / s->blocks_resident; /* all of o */
    int64_t span = skippable_ns(s, next, duration);
    if (span / period < 2 || waves < 2)
        return;
    if ((uint64_t)(span / period) < waves)
        waves = (uint64_t)(span / period);
    if (x->demand->quarter_step) /* after four waves every warp is in its quarter again */
        waves -= waves % GCAST_QUARTERS;
    if (!waves)
        return;
    if (!repeats(s, o)) {
        x->waves_differ = true;
        return;
    }
    int64_t shift;
    if (waves > MAX_TIME_NS || !checked_mul((int64_t)waves, period, &shift) || shift > MAX_TIME_NS) {
        sim_fail_time(s, o);
        return;
    }
    x->last_end_ns = sim_add_ns(s, o, x->last_end_ns, shift);
    sim_add_ns(s, o, x->last_end_ns, period); /* fails where the next wave would end too late */
    tournament_shift(&s->releases, shift);
    x->dispatched += waves * s->blocks_resident;
    s->blocks_dispatched += waves * s->blocks_resident;
}
