/* A kernel and its arguments on the GPU, ready to be measured: the original, and the kernel transformed, without and
 * with records. */
#ifndef MEASURE_SMC_SMC_PROGRAM_H
#define MEASURE_SMC_SMC_PROGRAM_H

#include "gridcast/launch.h"
#include "measure/driver/driver.h"
#include "measure/smc/smc_kernel.h"

typedef struct smc_program {
    const device *v;             /* the GPU */
    const gcast_launch *launch;  /* the caller's */
    char *source;                /* the PTX of the original */
    CUmodule original_module;    /* the original, compiled */
    CUfunction original;         /* the kernel of that module */
    CUmodule module[2];          /* transformed; [1]: with records */
    smc_on_gpu smc[2];           /* the kernels of these modules */
    gcast_plan *plan;            /* of both; NULL: none yet */
    uint32_t max_registers;      /* per thread, of the transformed kernel; 0: as the compiler likes */
    uint32_t holds;              /* workers of smc[0] that an SM holds */
    uint32_t holds_with_records; /* of smc[1] */
    CUdeviceptr *memory;         /* by buffer of the launch */
    void **parameters;           /* as of cuLaunchKernel */
    CUstream stream;             /* of its launches */
    CUevent event[2];            /* before and after launches that are timed */
} smc_program;

/* `source` (with a terminating zero) is PTX; smc_program_close must follow in any case. */
gcast_status smc_program_open(smc_program *p, const device *v, const char *source, size_t size, const char *name,
                              const gcast_launch *launch, const gcast_smc_options *options, gcast_error *err);
void smc_program_close(smc_program *p);
/* Compiles the original in the current context. */
gcast_status smc_program_load_original(const smc_program *p, CUmodule *module, CUfunction *function, gcast_error *err);
/* Sends the buffers' contents, and waits. */
gcast_status smc_program_send(const smc_program *p, gcast_error *err);
/* Fetches all buffers, one after the other, into `bytes`, which has the sum of their sizes. */
gcast_status smc_program_fetch(const smc_program *p, unsigned char *bytes, gcast_error *err);
/* The arguments of a transformed kernel's launch. */
gcast_smc_launch_arguments smc_program_arguments(const smc_program *p);
/* Starts the original. */
gcast_status smc_program_start(const smc_program *p, CUfunction function, CUstream stream, gcast_error *err);

#endif
