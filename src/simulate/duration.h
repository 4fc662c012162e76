/* How long a block takes. A random duration is a hash of the seed, the op, the job and the block, so that it takes no
 * memory and does not depend on the order in which durations are drawn. */
#ifndef SIMULATE_DURATION_H
#define SIMULATE_DURATION_H

#include "gridcast/simulate.h"

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

#endif
