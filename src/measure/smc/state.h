/* The state of a session in which SM-centric kernels are measured. */
#ifndef MEASURE_SMC_STATE_H
#define MEASURE_SMC_STATE_H

#include "measure/smc/smc_program.h"
#include "measure/smc/smc_session.h"

/* Another kernel that holds SMs. */
typedef struct holder {
    CUmodule module;     /* NULL: not compiled yet */
    CUfunction function; /* the kernel */
    CUstream stream;     /* of its own */
    uint32_t *arrived;   /* in host memory that the GPU writes: the number of its blocks that run */
} holder;

struct gcast_smc_session {
    device v;                                   /* the GPU */
    smc_program program[GCAST_SMC_SESSION_MAX]; /* the kernels */
    uint32_t programs;                          /* number of kernels */
    holder hold;
};

#endif
