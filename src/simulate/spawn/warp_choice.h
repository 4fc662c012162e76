/* The policy predict: which launchers of a warp launch, by costs and limits that are known beforehand ("Predict" in
 * docs/model.md). It knows nothing of the engine. */
#ifndef SIMULATE_SPAWN_WARP_CHOICE_H
#define SIMULATE_SPAWN_WARP_CHOICE_H

#include <stdint.h>

#include "gridcast/gpu.h"
#include "gridcast/launches.h"

/* What is known when a warp decides. */
typedef struct warp_outlook {
    const gcast_gpu *gpu;           /* its costs and limits */
    const gcast_launches *launches; /* what the kernel of the warp launches */
    uint64_t blocks;                /* child blocks that were launched and have not ended */
    uint64_t children;              /* children that were called and whose overhead is not over */
    uint64_t max_blocks;            /* child blocks that all SMs of the mask hold, if they are empty */
} warp_outlook;

/* The warp's `count` launchers, 32 at most, are numbered from `first` on. Returns a bit for each, from the lowest on: 1
 * for those that launch. */
uint32_t warp_choice(const warp_outlook *o, uint64_t first, uint32_t count);

#endif
