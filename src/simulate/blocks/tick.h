/* Blocks that sleep until their time is over, as the blocks of the kernel do that measure runs for "spin" ("As
 * measured" in docs/model.md). Warps that sleep wake on ticks of the GPU's clock. */
#ifndef SIMULATE_BLOCKS_TICK_H
#define SIMULATE_BLOCKS_TICK_H

#include <stdbool.h>
#include <stdint.h>

#include "simulate/blocks/sm.h"

#define TICK_STEPS 4 /* values per tick of the clock that blocks read */

typedef struct tick {
    int64_t period_ns;       /* from one tick to the next; 0: no block sleeps */
    int64_t counted_ns;      /* the time for which started_count[] counts */
    uint32_t *started_count; /* by rank: blocks that have started at that time; NULL where no block sleeps */
    bool after_release;      /* resources are released now, and blocks start in them */
} tick;

/* `period_ns` 0: no block sleeps. False without memory. */
bool tick_init(tick *t, int64_t period_ns, int sms);
void tick_free(tick *t);

/* A block that sleeps starts now on the SM of this rank: the time that it reads as its start. */
int64_t tick_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now);

#endif
