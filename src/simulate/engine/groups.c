/* Groups of blocks: their memory, their resources, and how they are dispatched. */
#include "simulate/engine/groups.h"

#include "simulate/duration.h"
#include "simulate/engine/workers.h"

uint32_t group_new(sim *s)
{
    if (!vec_grow(&s->groups, &s->group_cap, s->group_count + 1, sizeof *s->groups) ||
        !tournament_grow(&s->releases, s->group_count + 1)) {
        sim_fail_memory(s);
        return NONE;
    }
    s->groups[s->group_count].next = NONE;
    return (uint32_t)s->group_count++;
}

void group_release(sim *s, uint32_t g)
{
    const sim_group *group = &s->groups[g];
    const sm_demand *d = s->state[group->op].demand;
    if (group->count == 1)
        sm_release_one(&s->sms.at[group->rank], d, group->quarter);
    else
        sm_release(&s->sms.at[group->rank], d, group->count, group->quarter);
    mark_dirty(s, group->rank);
    group_drop(s, g);
}

/* How long a block of o takes if it sleeps for `duration`. */
static int64_t block_sleep_ns(sim *s, uint32_t o, uint32_t rank, int64_t duration)
{
    int64_t period = s->tick.period_ns, start = tick_start(&s->tick, s->gpu, &s->sms, rank, s->now);
    int64_t end = sim_add_ns(s, o, sim_add_ns(s, o, start, duration), period - 1);
    return end - end % period - s->now;
}

/* How long a block of o takes with starving; `duration`: without. */
static int64_t block_starve_ns(sim *s, uint32_t o, uint32_t rank, int64_t duration)
{
    int64_t max_delay =
        s->options->scatter ? scatter_starved_ns(s->options, s->gpu, &s->ops[o]) : s->starve.max_delay_ns;
    duration += starve_delay_ns(&s->starve, rank, sim_add_ns(s, o, s->now, duration), max_delay);
    if (sim_spec(s, o)->body == GCAST_BODY_TIMER_SPIN &&
        !starve_add(&s->starve, rank, s->now, s->now + duration, s->state[o].demand->warps))
        sim_fail_memory(s);
    return duration;
}

int64_t block_other_duration_ns(sim *s, uint32_t o, uint32_t rank, uint64_t block)
{
    const sim_op *x = &s->state[o];
    if (is_child(s, o))
        return child_block_starts(s, o, block);
    int64_t duration = duration_of(sim_spec(s, o), x->op, x->job, block, s->options);
    if (s->tick.period_ns && sim_spec(s, o)->body == GCAST_BODY_SPIN)
        duration = block_sleep_ns(s, o, rank, duration);
    return s->starve.sms ? block_starve_ns(s, o, rank, duration) : duration;
}

/* Starts the placed blocks as one chain. */
static void start_together(sim *s, uint32_t o, int64_t duration)
{
    uint32_t chain = NONE;
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        if (s->place.counts[i])
            chain = group_start(s, o, s->place.picks[i], s->place.counts[i], chain);
    if (s->status != GCAST_OK)
        return;
    tournament_set(&s->releases, chain, block_release_ns(s, o, duration));
    s->state[o].dispatched += s->place.fit;
    s->blocks_dispatched += s->place.fit;
}

/* Starts the placed blocks, each as a chain of its own. */
static void start_each(sim *s, uint32_t o)
{
    for (uint64_t i = 0; i < s->place.fit && s->status == GCAST_OK; i++)
        block_start(s, o, s->place.order[i]);
}

/* Starts the placed blocks as workers of a plan. */
static void start_workers(sim *s, uint32_t o)
{
    for (uint64_t i = 0; i < s->place.fit && s->status == GCAST_OK; i++) {
        uint32_t g = group_start(s, o, s->place.order[i], 1, NONE);
        if (g != NONE)
            tournament_set(&s->releases, g, worker_dispatch(s, o, g));
    }
}

/* Starts placed blocks that have launchers; the end of a block is known when they have decided. */
static void start_launching(sim *s, uint32_t o)
{
    for (uint64_t i = 0; i < s->place.fit && s->status == GCAST_OK; i++) {
        uint32_t rank = s->place.order[i], g = group_start(s, o, rank, 1, NONE);
        if (g == NONE)
            return;
        tournament_set(&s->releases, g, TOURNAMENT_OUT);
        parent_block_starts(s, o, g);
        s->state[o].dispatched++;
        s->blocks_dispatched++;
        s->sms.last = rank;
    }
}

/* Records the blocks of one chain, one by one. */
static void record_together(sim *s, uint32_t o, int64_t duration)
{
    uint64_t first = s->state[o].dispatched;
    uint32_t *quarter = s->quarter_scratch;
    uint32_t step = (uint32_t)s->place.demand->quarter_step;
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        quarter[s->place.picks[i]] = (uint32_t)s->sms.at[s->place.picks[i]].next_quarter;
    for (uint64_t i = 0; i < s->place.fit; i++) {
        uint32_t rank = s->place.order[i];
        block_record(s, o, first + i, rank, quarter[rank], duration);
        quarter[rank] = (quarter[rank] + step) % GCAST_QUARTERS;
    }
}

/* Empty SMs that get blocks take the size of shared memory that the kernel chooses. */
static void resize_placed(sim *s)
{
    for (uint32_t i = 0; i < s->place.pick_count; i++)
        if (s->place.counts[i])
            sm_resize(&s->sms.at[s->place.picks[i]], s->place.demand);
}

bool group_durations_equal(const sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (is_child(s, o))
        return child_durations_equal(s, o);
    return !s->state[o].starts_each && op->policy == GCAST_POLICY_HARDWARE && !op->launches && !op->block_ns &&
           !s->options->noise_ns && !s->starve.sms && !s->tick.period_ns &&
           (op->min_ns == op->max_ns || s->options->durations != GCAST_DURATIONS_RANDOM);
}

int64_t group_duration_ns(const sim *s, uint32_t o)
{
    const sim_op *x = &s->state[o];
    return is_child(s, o) ? child_block_ns(s, o, 0) : duration_of(sim_spec(s, o), x->op, x->job, 0, s->options);
}

void group_begin_placed(sim *s, uint32_t o)
{
    kernel_starts(s, o);
    if (s->sms.largest)
        resize_placed(s);
}

void group_start_placed(sim *s, uint32_t o)
{
    if (!s->place.fit)
        return;
    group_begin_placed(s, o);
    if (!group_durations_equal(s, o)) {
        if (sim_plan_launch(s, o))
            start_workers(s, o);
        else if (s->state[o].launching)
            start_launching(s, o);
        else
            start_each(s, o);
        return;
    }
    int64_t duration = group_duration_ns(s, o);
    if (is_recorded(s, o, s->now))
        record_together(s, o, duration);
    start_together(s, o, duration);
}
