/* The region of a branch: the basic blocks between it and the place where all its paths have met again. */
#ifndef SMC_CHECK_REGIONS_H
#define SMC_CHECK_REGIONS_H

#include "base/vec.h"
#include "ptx/graph/graph.h"

typedef struct smc_regions {
    const ptx_graph *g;      /* the function */
    uint32_t *postdominator; /* by block: where all its paths meet; as many as there are blocks: at the end */
    VEC(uint32_t) todo;      /* blocks of a region that is being marked */
    VEC(uint32_t) visited;   /* all of these */
    uint8_t *seen;           /* by block: it is among these */
} smc_regions;

/* False without memory. */
bool smc_regions_open(smc_regions *r, const ptx_graph *g);
void smc_regions_close(smc_regions *r);
/* Sets in_region for the blocks of b's region; false without memory. */
bool smc_regions_mark(smc_regions *r, uint32_t b, uint8_t *in_region);

#endif
