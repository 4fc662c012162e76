/* Groups of blocks: their memory, their room, their starts. */
#include "simulate/dispatch/groups.h"

#include "simulate/scatter.h"

uint32_t group_add(sim *s)
{
    if (!vec_grow((void **)&s->groups, &s->group_cap, s->group_count + 1, sizeof *s->groups) ||
        !tournament_grow(&s->rooms, s->group_count + 1)) {
        sim_fail_memory(s);
        return NONE;
    }
    s->groups[s->group_count].next = NONE;
    return (uint32_t)s->group_count++;
}

void group_give(sim *s, uint32_t g)
{
    const sim_group *group = &s->groups[g];
    const sm_demand *d = s->state[group->op].demand;
    if (group->count == 1)
        sm_give_one(&s->sms.at[group->sm], d, group->quarter);
    else
        sm_give(&s->sms.at[group->sm], d, group->count, group->quarter);
    mark(s, group->sm);
    drop(s, g);
}

int64_t group_sleeps(sim *s, uint32_t o, uint32_t rank, int64_t duration)
{
    int64_t wake = s->tick.wake, start = tick_start(&s->tick, s->gpu, &s->sms, rank, s->now);
    int64_t end = sim_after(s, o, sim_after(s, o, start, duration), wake - 1);
    return end - end % wake - s->now;
}

int64_t group_starves(sim *s, uint32_t o, uint32_t rank, int64_t duration)
{
    int64_t most = s->options->scatter ? scatter_starved(s->options, s->gpu, &s->ops[o]) : s->starve.most;
    duration += starve_late(&s->starve, rank, sim_after(s, o, s->now, duration), most);
    if (sim_spec(s, o)->body == GCAST_BODY_TIMER_SPIN &&
        !starve_add(&s->starve, rank, s->now, s->now + duration, s->state[o].demand->warps))
        sim_fail_memory(s);
    return duration;
}

/* One event for all blocks that start now. */
static void start_together(sim *s, uint32_t o, int64_t duration)
{
    uint32_t chain = NONE;
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        if (s->place.counts[i])
            chain = take(s, o, s->place.picks[i], s->place.counts[i], chain);
    if (s->status != GCAST_OK)
        return;
    tournament_set(&s->rooms, chain, room_time(s, o, duration));
    s->state[o].started += s->place.fit;
    s->blocks_started += s->place.fit;
}

static void start_each(sim *s, uint32_t o)
{
    for (uint64_t i = 0; i < s->place.fit && s->status == GCAST_OK; i++)
        start_one(s, o, s->place.order[i]);
}

/* Blocks of equal duration are recorded one by one, but still end as one event. */
static void record_together(sim *s, uint32_t o, int64_t duration)
{
    uint64_t first = s->state[o].started;
    uint32_t *quarter = s->quarter_scratch;
    uint32_t step = (uint32_t)s->place.demand->step;
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        quarter[s->place.picks[i]] = (uint32_t)s->sms.at[s->place.picks[i]].next_quarter;
    for (uint64_t i = 0; i < s->place.fit; i++) {
        uint32_t rank = s->place.order[i];
        record(s, o, first + i, rank, quarter[rank], duration);
        quarter[rank] = (quarter[rank] + step) % GCAST_QUARTERS;
    }
}

/* Empty SMs where blocks are placed take the size that their kernel chooses. */
static void resize_placed(sim *s)
{
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        if (s->place.counts[i])
            sm_resize(&s->sms.at[s->place.picks[i]], s->place.demand);
}

bool group_durations_equal(const sim *s, const gcast_op *op)
{
    return !op->block_ns && !s->options->noise_ns && !s->starve.sms && !s->tick.wake &&
           (op->min_ns == op->max_ns || s->options->durations != GCAST_DURATIONS_RANDOM);
}

void group_start_placed(sim *s, uint32_t o)
{
    const gcast_run_op *r = &s->ops[o];
    if (!s->place.fit)
        return;
    starts(s, o);
    if (s->sms.largest)
        resize_placed(s);
    if (!group_durations_equal(s, sim_spec(s, o))) {
        start_each(s, o);
        return;
    }
    int64_t duration = duration_of(sim_spec(s, o), r->op, r->job, 0, s->options);
    if (records(s, o, s->now))
        record_together(s, o, duration);
    start_together(s, o, duration);
}
