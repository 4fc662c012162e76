/* The cost model: from what the SIMT machine saw of a block to the time it takes on
 * a GPU (docs/exec.md), and the measuring of its figures. */
#ifndef MODEL_COST_H
#define MODEL_COST_H

#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"
#include "model/exec.h"

/* The figures of a GPU, by the name of its preset; NULL: nobody has measured them. */
typedef struct gcast_cost_gpu gcast_cost_gpu;
const gcast_cost_gpu *gcast_cost_find(const char *name);
uint32_t gcast_cost_clock_mhz(const gcast_cost_gpu *g);
const char *gcast_cost_unit(uint32_t unit);

#define GCAST_COST_MAX_UNITS 16

/* What a launch's blocks take. */
typedef struct gcast_cost_summary {
    uint32_t clock_mhz, blocks_per_sm;
    gcast_block_spread cycles;
    uint64_t median_ns;
    uint32_t unit;         /* the unit that is the busiest one in most blocks */
    uint32_t busy_percent; /* time that this unit needs for all blocks of an SM, in percent of the time of a block
                              alone; from 100 on the unit limits the speed, below that the latencies of a warp do */
} gcast_cost_summary;

/* The report must have been made with the figures of `gpu`. */
gcast_status gcast_cost_summarize(const gcast_simt_report *r, const gcast_cost_gpu *gpu, uint32_t blocks_per_sm,
                                  gcast_cost_summary *out, gcast_error *err);

/* One instruction on this machine's GPU, in hundredths of a cycle. */
typedef struct gcast_cost_probe {
    const char *name;
    uint32_t alone; /* latency: from one to the next, which depends on it, in a warp alone on its SM */
    uint32_t busy;  /* interval on a quarter of an SM where eight warps have eight of them in flight each */
    uint32_t first; /* interval of one warp that runs the code for the first time; 0: not measured */
} gcast_cost_probe;

typedef struct gcast_cost_measured {
    char gpu[64];
    uint32_t clock_mhz;
    size_t probes;
    gcast_cost_probe probe[64];
} gcast_cost_measured;

gcast_status gcast_cost_measure(const gcast_gpu_exec_options *options, gcast_cost_measured *out, gcast_error *err);

#endif
