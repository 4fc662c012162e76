/* Divergence: the regions of branches, and the registers and branches that differ between threads of a block. The
 * region of a branch has the basic blocks between it and the place where all its paths have met again. */
#ifndef SMC_DIVERGENCE_H
#define SMC_DIVERGENCE_H

#include "base/vec.h"
#include "ptx/graph.h"

typedef struct smc_regions {
    const ptx_graph *g;      /* the function */
    uint32_t *postdominator; /* by block: the block where all its paths meet; g->blocks: only at the end */
    VEC(uint32_t) todo;      /* work list while a region is being marked */
    VEC(uint32_t) visited;   /* all blocks of that region so far */
    uint8_t *seen;           /* by block: it is in `visited` */
} smc_regions;

/* False without memory. */
bool smc_regions_open(smc_regions *r, const ptx_graph *g);
void smc_regions_close(smc_regions *r);
/* Sets in_region for the blocks of b's region; false without memory. */
bool smc_regions_mark(smc_regions *r, uint32_t b, uint8_t *in_region);

/* Registers and branches that may differ between threads of a block. All others are the same in all threads that reach
 * the same place. */
typedef struct smc_varying {
    uint8_t *reg;    /* by register */
    uint8_t *branch; /* by basic block: threads may leave it to different blocks */
} smc_varying;

/* The arrays are allocated in `memory`. */
gcast_status smc_varying_find(const ptx_graph *g, arena *memory, smc_varying *out, gcast_error *err);

#endif
