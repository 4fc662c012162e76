/* The state of a thread block: its warps, its shared memory and its barriers. */
#ifndef SIMT_MACHINE_BLOCK_STATE_H
#define SIMT_MACHINE_BLOCK_STATE_H

#include "base/text/text.h"
#include "simt/machine/warp_state.h"

#define MAX_BARRIERS 16 /* of a block */

/* A barrier of a block, while threads wait at it. */
typedef struct barrier {
    uint32_t arrived;      /* threads that have arrived */
    uint32_t expected;     /* threads that it waits for; 0: all that have not exited */
    uint64_t last_arrival; /* issue clock of the warp that came last */
    uint32_t popc;         /* bar.red: threads whose predicate held */
    uint32_t vote_count;   /* bar.red: threads that gave a predicate */
} barrier;

typedef struct block {
    uint64_t number;               /* in the grid, counted along x, then y, then z */
    uint32_t index[3];             /* %ctaid */
    uint32_t warps, live_threads;  /* its warps; its threads that have not exited */
    warp *warp;                    /* by number */
    char *shared;                  /* its shared memory */
    struct race_block *races;      /* state of the race checker; NULL: races are not checked */
    struct block_cost *cost;       /* state of the cost model; NULL: there is none */
    barrier barrier[MAX_BARRIERS]; /* by number */
    uint64_t instructions;         /* that its warps have issued */
    uint64_t sleep_ns;             /* that its warps have slept, per warp */
    uint64_t shared_version;       /* counts changes of shared memory */
    uint64_t global_version;       /* counts this block's changes of global memory */
    uint64_t random_state;         /* where turns of warps are drawn at random */
    text printed;                  /* what its threads have printed */
} block;

#endif
