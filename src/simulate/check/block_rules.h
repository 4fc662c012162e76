#ifndef SIMULATE_CHECK_BLOCK_RULES_H
#define SIMULATE_CHECK_BLOCK_RULES_H

#include "simulate/check/block_walk.h"

/* Did the block n of the operation i run on an SM that it may use, as long as it should? Else the walk ends. */
bool block_is_right(block_walk *k, uint32_t i, const gcast_block *b, uint64_t n);
/* A block of i starts on the SM of this rank: is its shared memory large enough? Updates its range of sizes. */
bool block_size_is_right(block_walk *k, uint32_t i, uint32_t rank);
/* How many blocks of i fit on the SM of this rank; 0, where it may not use it. */
uint32_t block_count_fitting(block_walk *k, uint32_t i, int rank);
/* Does a block of i fit on an SM that it may use? Of a cooperative kernel: do all? */
bool block_fits_somewhere(block_walk *k, uint32_t i);

#endif
