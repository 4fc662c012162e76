/* Which kernel may dispatch blocks: the head of the highest level whose head does not wait for the limit of resident
 * grids (X1, A2). */
#ifndef SIMULATE_RULES_HEAD_H
#define SIMULATE_RULES_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "gridcast/gpu.h"

#define MAX_LEVELS 64 /* priority levels of a GPU */

/* Are as many kernels resident as the GPU allows? Then no other kernel may start. */
static inline bool grid_limit_reached(const gcast_gpu *gpu, uint64_t resident_grids)
{
    int limit = gpu->limits.resident_grids;
    return limit && resident_grids >= (uint64_t)limit;
}

#endif
