/* Blocks that sleep until their time is over, as those of the kernel that measure runs for
 * "spin" do ("As measured" in docs/model.md): sleeping warps wake on ticks of the GPU's clock. */
#ifndef SIMULATE_BLOCKS_TICK_H
#define SIMULATE_BLOCKS_TICK_H

#include <stdbool.h>
#include <stdint.h>

#include "simulate/blocks/sm.h"

#define TICK_STEPS 4 /* the clock that blocks read shows so many values a tick */

typedef struct tick {
    int64_t wake;      /* from one to the next; 0: blocks end when their time is over */
    int64_t at;        /* when those started that are counted */
    uint32_t *started; /* by rank; NULL where wake is 0 */
    bool refills;      /* room comes back now, and blocks start in it */
} tick;

/* `wake_ns` 0: no block sleeps. False without memory. */
bool tick_init(tick *t, int64_t wake_ns, int sms);
void tick_free(tick *t);

/* A block that sleeps starts now on the SM of this rank: the time that it reads as its start. */
int64_t tick_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now);

#endif
