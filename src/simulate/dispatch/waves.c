/* A kernel alone on the GPU repeats itself: what ends now starts again at once in
 * the same places, and ends one period (duration + hand-over) later. Whole periods
 * up to the next thing that could change that are skipped by moving every end.
 *
 * That is exact only if each SM takes back exactly as many blocks as it gave up.
 * With pools it does: there was no room before, and a group that ends leaves room
 * for itself. With quarters it does if the group's warps fill all quarters alike, or
 * if it was all that an SM can hold. Round robin also needs the turn to come round to where
 * it was, so it is not skipped unless one SM takes all. An SM whose shared memory may take another
 * size when it is empty need not repeat itself either.
 *
 * Where blocks of a window are recorded, waves are skipped up to it and after it. */
#include "simulate/dispatch/waves.h"

#include "base/checked.h"
#include "simulate/dispatch/groups.h"
#include "simulate/duration.h"
#include "simulate/state/failure.h"

/* Do the groups of o repeat on every SM? */
static bool repeats(sim *s, uint32_t o)
{
    const sm_demand *d = s->state[o].demand;
    if (d->even)
        return true;
    for (uint32_t i = 0; i < s->group_count; i++) {
        const sim_group *group = &s->groups[i];
        if (group->count && group->count != d->most && (uint64_t)group->count * (uint32_t)d->warps % GCAST_QUARTERS)
            return false;
    }
    return true;
}

/* For how long waves may be skipped whose last blocks take `duration`: all that is skipped ends before the window. */
static int64_t skippable(const sim *s, int64_t next, int64_t duration)
{
    int64_t span = next == INT64_MAX ? INT64_MAX : next - 1 - s->now;
    if (s->now >= s->window.to)
        return span;
    int64_t before = s->window.from - s->now - duration;
    return before < span ? before : span;
}

void waves_skip(sim *s, int64_t next)
{
    uint32_t o = s->blocked;
    if (o == NONE || s->sms.largest || !s->state[o].resident || s->queued != 1 || s->groups_live != s->state[o].groups)
        return;
    const gcast_op *op = sim_spec(s, o);
    gcast_run_op *r = &s->ops[o];
    sim_op *x = &s->state[o];
    if (r->blocks || x->no_skip || !group_durations_equal(s, op) ||
        (s->gpu->placement == GCAST_PLACE_ROUND_ROBIN && s->sms.count > 1))
        return;
    int64_t duration = duration_of(op, r->op, r->job, 0, s->options), period = duration + s->gpu->handover_ns;
    uint64_t waves = (r->block_count - x->started - 1) / x->resident;
    int64_t span = skippable(s, next, duration);
    if (span / period < 2 || waves < 2)
        return;
    if ((uint64_t)(span / period) < waves)
        waves = (uint64_t)(span / period);
    if (x->demand->step) /* four waves bring every warp back to its quarter */
        waves -= waves % GCAST_QUARTERS;
    if (!waves)
        return;
    if (!repeats(s, o)) {
        x->no_skip = true;
        return;
    }
    int64_t shift;
    if (waves > LAST_TIME || !checked_mul((int64_t)waves, period, &shift) || shift > LAST_TIME) {
        sim_fail_time(s, o);
        return;
    }
    x->last_end = sim_after(s, o, x->last_end, shift);
    sim_after(s, o, x->last_end, period);
    tournament_shift(&s->rooms, shift);
    x->started += waves * x->resident;
    s->blocks_started += waves * x->resident;
}
