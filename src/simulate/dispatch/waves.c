/* A kernel alone on the GPU repeats its waves: where blocks end, others start in the same places, and end one period
 * (duration and hand-over) later. As many periods as pass before anything else can happen are skipped: every end moves
 * by their length.
 *
 * That is exact only if each SM takes exactly as many blocks as ended on it. Without quarters it does: nothing fitted
 * before, and a group that ends makes room for an equal one. With quarters it does if every quarter has as many warps
 * of the group, or if the group filled the SM. It need not where the placement is round robin on several SMs, as the
 * next wave may begin at another SM, nor where SMs may change the size of their shared memory.
 *
 * Where the blocks of a window of time are recorded, waves before it and after it are skipped. */
#include "simulate/dispatch/waves.h"

#include "base/checked.h"
#include "simulate/dispatch/groups.h"
#include "simulate/duration.h"
#include "simulate/state/failure.h"

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

/* The time from now that may be skipped. Blocks that are skipped, which take `duration`, end before the window. */
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
