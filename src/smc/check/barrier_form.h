/* Barrier instructions of a block: bar and barrier. */
#ifndef SMC_CHECK_BARRIER_FORM_H
#define SMC_CHECK_BARRIER_FORM_H

#include "ptx/ptx.h"

typedef struct smc_barrier {
    bool has_number; /* its number is written, not in a register */
    uint32_t number; /* of the barrier */
    bool is_counted; /* for as many threads as it says; else for all that have not exited */
    bool has_result; /* bar.red */
} smc_barrier;

/* False: it is no barrier of the block. */
bool smc_barrier_of(const ptx_instruction *in, smc_barrier *out);

#endif
