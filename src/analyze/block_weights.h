/* Weights and floors of blocks, lemma 1 of docs/bound.md: while a block fits on none of the SMs that it may use, the
 * blocks on each of these SMs together weigh at least its floor. */
#ifndef ANALYZE_BLOCK_WEIGHTS_H
#define ANALYZE_BLOCK_WEIGHTS_H

#include "base/arena.h"
#include "simulate/blocks/sm.h"

typedef struct block_weight {
    int64_t weight;         /* the block's largest share of a resource of an SM, rounded up */
    int64_t floor;          /* the least weight on an SM that has no room for a further one */
    int64_t filling_blocks; /* the fewest such blocks that alone can leave no room for a further one */
} block_weight;

/* Weighs all kinds of blocks of a workload. `resource_weight` is the weight of an SM's whole amount of a resource.
 * False without memory. */
bool block_weigh(arena *memory, const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t resource_weight,
                 block_weight *weights);
/* For each kernel the least weight on an SM that has no room for a further block of it, when only its own blocks and
 * those of kernels marked in `is_there` can be on the SM. */
bool block_floors_among(const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t resource_weight,
                        const bool *is_there, int64_t *floors);

#endif
