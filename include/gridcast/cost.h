/* The cost model: from what the SIMT machine saw of a block to the time it takes on
 * a GPU (docs/bridge.md), and the measuring of its figures. */
#ifndef GRIDCAST_COST_H
#define GRIDCAST_COST_H

#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"
#include "gridcast/exec.h"

/* One instruction on this machine's GPU, in hundredths of a cycle. */
typedef struct gcast_cost_probe {
    const char *name;
    uint32_t alone; /* from one to the next that waits for it, in a warp alone on its SM */
    uint32_t busy;  /* from one to the next on a quarter of an SM, where eight warps have eight in flight each */
    uint32_t first; /* as busy, but of one warp and the first time through the code; 0: not measured */
} gcast_cost_probe;

typedef struct gcast_cost_measured {
    char gpu[64];
    uint32_t clock_mhz;
    size_t probes;
    gcast_cost_probe probe[64];
} gcast_cost_measured;

gcast_status gcast_cost_measure(const gcast_gpu_exec_options *options, gcast_cost_measured *out, gcast_error *err);

#endif
