/* How long blocks and copies take, and the random variation of other times. A random duration is a hash of the seed,
 * the op, the job and the block: it takes no memory and does not depend on the order of draws. */
#ifndef SIMULATE_DURATION_H
#define SIMULATE_DURATION_H

#include "gridcast/gpu.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "gridcast/workload.h"

/* The last step of splitmix64, on a sum of all arguments. */
static inline uint64_t duration_draw(uint64_t seed, uint64_t op, uint64_t job, uint64_t block)
{
    uint64_t z =
        seed + 0x9e3779b97f4a7c15u * (1 + op) + 0xbf58476d1ce4e5b9u * (1 + job) + 0x94d049bb133111ebu * (1 + block);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Maps a drawn number to 0 .. max, uniformly. */
static inline int64_t duration_scale(uint64_t drawn, int64_t max)
{
    return (int64_t)((unsigned __int128)drawn * ((uint64_t)max + 1) >> 64);
}

/* How much longer a block takes because of noise. */
static inline int64_t duration_noise(const gcast_simulate_options *options, size_t op, uint32_t job, uint64_t block)
{
    return options->noise_ns ? duration_scale(duration_draw(~options->noise_seed, op, job, block), options->noise_ns)
                             : 0;
}

/* The duration that the workload gives, without noise. */
static inline int64_t duration_given(const gcast_op *op, size_t op_index, uint32_t job, uint64_t block,
                                     const gcast_simulate_options *options)
{
    if (op->block_ns)
        return op->block_ns[block];
    if (op->min_ns == op->max_ns || options->durations == GCAST_DURATIONS_MAX)
        return op->max_ns;
    if (options->durations == GCAST_DURATIONS_MIN)
        return op->min_ns;
    return op->min_ns + duration_scale(duration_draw(options->seed, op_index, job, block), op->max_ns - op->min_ns);
}

/* The duration of a block. */
static inline int64_t duration_of(const gcast_op *op, size_t op_index, uint32_t job, uint64_t block,
                                  const gcast_simulate_options *options)
{
    return duration_given(op, op_index, job, block, options) + duration_noise(options, op_index, job, block);
}

/* Scatter is random variation of launch latencies, of the order in which operations enter that waited for the NULL
 * stream, and of blocks that starve ("Scatter" in docs/model.md). Only the search for races uses it. */

#define SCATTER_PAUSE 3 /* factor by which the latency of a launch varies more after a pause */

/* What is drawn: duration_draw gets it as a block number that no kernel has. */
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

/* How many warps that takes: three fifths of the number beside which a block surely starves. */
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

/* How long the copy or memset with index i takes if its duration is not given: bytes over bandwidth, and the overhead
 * of its direction. */
gcast_status copy_bytes_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t *ns, gcast_error *err);
/* The longest time of a copy that usually takes usual_ns: copies between host and device vary in speed. */
int64_t copy_slowest_ns(const gcast_gpu *gpu, const gcast_op *op, int64_t usual_ns);
/* How much longer a copy takes at most after a pause, and beside a copy in the other direction. */
int64_t copy_max_extra_ns(const gcast_gpu *gpu, const gcast_op *op);

/* The duration of one block by the rules above; for oracles and tests. */
int64_t gcast_op_block_duration(const gcast_op *op, size_t op_index, uint32_t job, uint64_t block,
                                const gcast_simulate_options *options);

#endif
