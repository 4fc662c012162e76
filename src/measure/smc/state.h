/* A session in which SM-centric kernels are measured. */
#ifndef MEASURE_SMC_STATE_H
#define MEASURE_SMC_STATE_H

#include "gridcast/smc_measure.h"
#include "measure/smc/smc_program.h"

/* Another kernel that holds SMs. */
typedef struct holder {
    CUmodule module;     /* NULL: not compiled yet */
    CUfunction function; /* the kernel */
    CUstream stream;     /* of its own */
    uint32_t *arrived;   /* in memory of the host that the GPU writes: its blocks that run */
} holder;

struct gcast_smc_session {
    device v;                             /* the GPU */
    smc_program program[GCAST_CORUN_MAX]; /* the kernels */
    uint32_t programs;                    /* of these */
    holder hold;                          /* see above */
};

#endif
