/* When a block that sleeps ends: on the first tick that is not before its start and its
 * duration, both as it reads them. */
#include <stdlib.h>
#include <string.h>

#include "simulate/blocks/groups.h"

bool tick_init(sim *s)
{
    s->tick = (tick){.wake = s->options->as_measured ? s->gpu->wake_ns : 0, .at = -1};
    if (s->tick.wake)
        s->tick.started = calloc((size_t)s->sms.count, sizeof *s->tick.started);
    return !s->tick.wake || s->tick.started;
}

/* Where room comes back, a block starts as much later as its end is seen later; see blocks/release_order.c. */
static int64_t starts_at(sim *s, uint32_t rank)
{
    tick *t = &s->tick;
    if (t->at != s->now) {
        memset(t->started, 0, (size_t)s->sms.count * sizeof *t->started);
        t->at = s->now;
    }
    int64_t before = t->started[rank]++;
    if (!t->refills)
        return s->now;
    return s->now + release_delay_ns(s->gpu, s->sms.order[rank], before);
}

int64_t tick_lasts(sim *s, uint32_t o, uint32_t rank, int64_t duration)
{
    int64_t wake = s->tick.wake, start = starts_at(s, rank);
    start -= start % (wake / TICK_STEPS);
    int64_t end = sim_after(s, o, sim_after(s, o, start, duration), wake - 1);
    return end - end % wake - s->now;
}
