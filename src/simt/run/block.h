/* A block that runs. */
#ifndef SIMT_RUN_BLOCK_H
#define SIMT_RUN_BLOCK_H

#include "simt/machine/machine.h"

typedef enum {
    BLOCK_PAUSED, /* its turn is over */
    BLOCK_STUCK,  /* none of its warps can go on */
    BLOCK_DONE,   /* all its warps are done */
    BLOCK_FAILED  /* the error of the core is set, or all cores stop */
} block_state;

/* Starts a block of the grid, in memory that an earlier one may have used; false with the error set. */
bool block_start(core *c, block *b, uint64_t number);
block_state block_run(core *c, block *b);
void block_free(const machine *m, block *b);

#endif
