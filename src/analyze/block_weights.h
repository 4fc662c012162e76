/* Weights of blocks and floors, lemma 1 of docs/bound.md: while a block fits on no SM that it may use, the blocks on
 * each of them weigh at least its floor. */
#ifndef ANALYZE_BLOCK_WEIGHTS_H
#define ANALYZE_BLOCK_WEIGHTS_H

#include "base/arena.h"
#include "simulate/blocks/sm.h"

typedef struct block_weight {
    int64_t weight;         /* of a block: its largest share of an SM, rounded up */
    int64_t floor;          /* the least weight on an SM where no further block of it fits */
    int64_t filling_blocks; /* fewest blocks of it on an SM that alone leave no place for another */
} block_weight;

/* Weighs all kinds of blocks that there are. `resource_weight`: the weight of all that an SM has of a resource. False
 * without memory. */
bool block_weigh(arena *memory, const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t resource_weight,
                 block_weight *weights);
/* The least weight on an SM where no further block of a kernel fits, for each of them, where only blocks of kernels
 * that `is_there` says are there, and its own. */
bool block_floors_among(const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t resource_weight,
                        const bool *is_there, int64_t *floors);

#endif
