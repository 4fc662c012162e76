/* What a block reads of the GPU's clock when it starts. */
#include "simulate/blocks/tick.h"

#include <stdlib.h>
#include <string.h>

#include "simulate/blocks/release_order.h"

bool tick_init(tick *t, int64_t period_ns, int sms)
{
    *t = (tick){.period_ns = period_ns, .counted_ns = -1};
    if (period_ns)
        t->started_count = calloc((size_t)sms, sizeof *t->started_count);
    return !period_ns || t->started_count;
}

void tick_free(tick *t)
{
    free(t->started_count);
}

/* A block that starts in resources released now starts as much later as their release is seen later. */
static int64_t true_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now)
{
    if (t->counted_ns != now) {
        memset(t->started_count, 0, (size_t)sms->count * sizeof *t->started_count);
        t->counted_ns = now;
    }
    int64_t before = t->started_count[rank]++;
    return t->after_release ? now + release_delay_ns(gpu, sms->order[rank], before) : now;
}

int64_t tick_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now)
{
    int64_t start = true_start(t, gpu, sms, rank, now);
    return start - start % (t->period_ns / TICK_STEPS);
}
