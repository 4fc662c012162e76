/* Limits of a GPU that hold for whole kernels: priority levels, and how many kernels may be resident. A head that waits
 * for the latter lets the heads of lower levels start (X1, A2). */
#ifndef SIMULATE_RULES_GRID_LIMIT_H
#define SIMULATE_RULES_GRID_LIMIT_H

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
