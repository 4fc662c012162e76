/* What a block reads of the GPU's clock when it starts. */
#include "simulate/blocks/tick.h"

#include <stdlib.h>
#include <string.h>

#include "simulate/blocks/release_order.h"

bool tick_init(tick *t, int64_t wake_ns, int sms)
{
    *t = (tick){.wake = wake_ns, .at = -1};
    if (wake_ns)
        t->started = calloc((size_t)sms, sizeof *t->started);
    return !wake_ns || t->started;
}

void tick_free(tick *t)
{
    free(t->started);
}

/* Where resources are released, a block starts as much later as their release is seen later. */
static int64_t true_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now)
{
    if (t->at != now) {
        memset(t->started, 0, (size_t)sms->count * sizeof *t->started);
        t->at = now;
    }
    int64_t before = t->started[rank]++;
    return t->refills ? now + release_delay_ns(gpu, sms->order[rank], before) : now;
}

int64_t tick_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now)
{
    int64_t start = true_start(t, gpu, sms, rank, now);
    return start - start % (t->wake / TICK_STEPS);
}
