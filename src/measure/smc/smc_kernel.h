/* A transformed kernel in a module on the GPU: its plan, counters and marks there, its launches, and the end of a
 * launch with the repair of jobs that did not run. */
#ifndef MEASURE_SMC_SMC_KERNEL_H
#define MEASURE_SMC_SMC_KERNEL_H

#include "gridcast/smc_gpu.h"
#include "measure/driver/driver.h"

typedef struct smc_on_gpu {
    const driver *d;         /* the calls */
    CUfunction function;     /* the kernel */
    CUdeviceptr header;      /* its variable K_smc */
    bool records;            /* it keeps records */
    const gcast_plan *plan;  /* the plan on the GPU; NULL: none yet */
    CUdeviceptr arrays;      /* workers, first, job, counters, marks and records of the plan, in this order */
    CUdeviceptr spare;       /* room for the arrays of a repair: memory cannot be allocated while other kernels run */
    CUdeviceptr counters;    /* in `arrays` */
    CUdeviceptr marks;       /* in `arrays` */
    CUdeviceptr job_records; /* in `arrays`; 0: none */
} smc_on_gpu;

/* Finds the kernel and its variable. */
gcast_status smc_on_gpu_open(smc_on_gpu *k, const driver *d, CUmodule module, const char *kernel, gcast_error *err);
void smc_on_gpu_close(smc_on_gpu *k);
/* Sends a plan, which must stay in memory, and makes marks and counters zero. Waits for the stream. */
gcast_status smc_on_gpu_plan(smc_on_gpu *k, const gcast_plan *plan, CUstream stream, gcast_error *err);
/* Finds how many workers an SM holds, after allowing the kernel this much dynamic shared memory. */
gcast_status smc_on_gpu_holds(smc_on_gpu *k, const uint32_t block[3], uint32_t shared_bytes, uint32_t *workers,
                              gcast_error *err);
/* Can an SM be filled with this many workers? */
gcast_status smc_check_fill(uint32_t fill, gcast_error *err);
gcast_status smc_on_gpu_launch(const smc_on_gpu *k, uint32_t workers, const gcast_smc_launch_arguments *a,
                               gcast_error *err);
/* Makes the marks zero, in the stream. */
gcast_status smc_on_gpu_clear(const smc_on_gpu *k, CUstream stream, gcast_error *err);
/* Waits for the stream; `marks` has a word per job; `arrived`, which may be NULL, has by SM its workers of the last
 * launch. */
gcast_status smc_on_gpu_fetch(const smc_on_gpu *k, CUstream stream, uint32_t *marks, uint32_t *arrived,
                              gcast_error *err);
gcast_status smc_on_gpu_fetch_records(const smc_on_gpu *k, CUstream stream, gcast_smc_record *records,
                                      gcast_error *err);

/* Waits for a launch of `launched` workers, the only one since marks were cleared, checks its jobs, and repairs it.
 * *outcome is set in any case; its coverage is NULL on failure. */
gcast_status smc_finish(smc_on_gpu *k, uint32_t launched, const gcast_smc_launch_arguments *a,
                        gcast_smc_outcome *outcome, gcast_error *err);

#endif
