/* Which registers and branches may differ between threads of a block. What is left out is the same in all threads
 * that get to the same place. */
#ifndef SMC_CHECK_VARYING_H
#define SMC_CHECK_VARYING_H

#include "ptx/graph/graph.h"

typedef struct smc_varying {
    uint8_t *reg;    /* by register */
    uint8_t *branch; /* by basic block: threads may leave it to different places */
} smc_varying;

/* The arrays are allocated in `memory`. */
gcast_status smc_varying_find(const ptx_graph *g, arena *memory, smc_varying *out, gcast_error *err);

#endif
