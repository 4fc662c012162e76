/* How far times scatter that are not the durations of blocks and copies: those of launches,
 * of what the NULL stream held back, and of blocks that starve ("Scatter" in docs/model.md). Only the
 * search for races draws them. */
#ifndef SIMULATE_SCATTER_H
#define SIMULATE_SCATTER_H

#include "gridcast/run.h"
#include "simulate/duration.h"

#define SCATTER_PAUSE 3                 /* times as far scatters a launch after a pause */
#define SCATTER_LAUNCH (UINT64_MAX / 2) /* drawn where no block is */
#define SCATTER_STARVED (UINT64_MAX / 2 + 1)
#define SCATTER_TURN (UINT64_MAX / 2 + 2)

/* What an operation takes to its stream's queue that takes `latency` in the middle. */
static inline int64_t scatter_latency(const gcast_simulate_options *options, const gcast_gpu *gpu,
                                      const gcast_run_op *r, bool woken, int64_t latency)
{
    int64_t noise = gpu->launch_noise_ns;
    if (!options->scatter || !noise)
        return latency;
    uint64_t drawn = duration_draw(~options->noise_seed, r->op, r->job, SCATTER_LAUNCH);
    if (woken)
        return latency + duration_scale(drawn, noise * SCATTER_PAUSE);
    latency += duration_scale(drawn, noise) - noise / 2;
    return latency > 0 ? latency : 0;
}

/* Of operations that the NULL stream held back together those with less enter first. */
static inline int64_t scatter_turn(const gcast_simulate_options *options, const gcast_run_op *r)
{
    return (int64_t)(duration_draw(~options->noise_seed, r->op, r->job, SCATTER_TURN) >> 1);
}

#define SCATTER_BLOCKS 3 /* of older warps at least, beside which it is not sure that a block does not starve */

/* Of so many warps: three fifths of those beside which it starves. */
static inline int64_t scatter_doubtful(const gcast_gpu *gpu)
{
    return ((int64_t)gpu->starving_warps * 3 + 4) / 5;
}

/* A block that starves ends so much later at most: a third more than it should. */
static inline int64_t scatter_starved_most(const gcast_gpu *gpu)
{
    return gpu->starved_ns + gpu->starved_ns / 3;
}

/* The same for all blocks of a kernel. */
static inline int64_t scatter_starved(const gcast_simulate_options *options, const gcast_gpu *gpu,
                                      const gcast_run_op *r)
{
    uint64_t drawn = duration_draw(~options->noise_seed, r->op, r->job, SCATTER_STARVED);
    return duration_scale(drawn, scatter_starved_most(gpu));
}

#endif
