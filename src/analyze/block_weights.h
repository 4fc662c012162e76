/* Weights of blocks and floors, lemma 1 of docs/bound.md: while a block fits on no SM that it may use, each of them
 * holds at least so much. */
#ifndef ANALYZE_BLOCK_WEIGHTS_H
#define ANALYZE_BLOCK_WEIGHTS_H

#include "base/arena.h"
#include "simulate/blocks/sm.h"

typedef struct room_weight {
    int64_t weight; /* of a block: its largest share of an SM, rounded up */
    int64_t floor;  /* on an SM where no block of it fits */
    int64_t alone;  /* blocks of it on an SM where nothing else is and none fits */
} room_weight;

/* Of all kinds of blocks that there are, with `whole` as the weight of all of a resource. False without memory. */
bool room_weigh(arena *memory, const gcast_gpu *gpu, const sm_demand *demands, size_t count, int64_t whole,
                room_weight *weights);

#endif
