/* Random variation of times other than the durations of blocks and copies: of launch latencies, of the order in which
 * operations enter that waited for the NULL stream, and of blocks that starve ("Scatter" in docs/model.md). Only the
 * search for races draws it. */
#ifndef SIMULATE_SCATTER_H
#define SIMULATE_SCATTER_H

#include "gridcast/run.h"
#include "simulate/duration.h"

#define SCATTER_PAUSE 3 /* factor by which the latency of a launch varies more after a pause */

/* What is drawn, as the number of a block that no kernel has. */
#define SCATTER_LAUNCH (UINT64_MAX / 2)
#define SCATTER_STARVED (UINT64_MAX / 2 + 1)
#define SCATTER_ORDER (UINT64_MAX / 2 + 2)

/* The launch latency of an operation whose median is `latency`. */
static inline int64_t scatter_latency(const gcast_simulate_options *options, const gcast_gpu *gpu,
                                      const gcast_run_op *r, bool after_pause, int64_t latency)
{
    int64_t noise = gpu->launch_noise_ns;
    if (!options->scatter || !noise)
        return latency;
    uint64_t drawn = duration_draw(~options->noise_seed, r->op, r->job, SCATTER_LAUNCH);
    if (after_pause)
        return latency + duration_scale(drawn, noise * SCATTER_PAUSE);
    latency += duration_scale(drawn, noise) - noise / 2;
    return latency > 0 ? latency : 0;
}

/* Of operations that have waited together for the NULL stream, those with a lower number enter first. */
static inline int64_t scatter_order(const gcast_simulate_options *options, const gcast_run_op *r)
{
    return (int64_t)(duration_draw(~options->noise_seed, r->op, r->job, SCATTER_ORDER) >> 1);
}

/* A block may starve beside fewer warps than on average, if they belong to at least this many blocks. */
#define SCATTER_MIN_BLOCKS 3

/* How many warps that takes: three fifths of those beside which it surely starves. */
static inline int64_t scatter_min_warps(const gcast_gpu *gpu)
{
    return ((int64_t)gpu->starving_warps * 3 + 4) / 5;
}

/* The maximum delay of a block that starves: a third more than the average. */
static inline int64_t scatter_max_starved_ns(const gcast_gpu *gpu)
{
    return gpu->starved_ns + gpu->starved_ns / 3;
}

/* The delay of a block that starves, which is equal for all blocks of a kernel. */
static inline int64_t scatter_starved_ns(const gcast_simulate_options *options, const gcast_gpu *gpu,
                                         const gcast_run_op *r)
{
    uint64_t drawn = duration_draw(~options->noise_seed, r->op, r->job, SCATTER_STARVED);
    return duration_scale(drawn, scatter_max_starved_ns(gpu));
}

#endif
