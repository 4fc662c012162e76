/* A transformed kernel in a module on the GPU: its plan, counters and marks there, launches, and repair. */
#ifndef MEASURE_SMC_ON_GPU_H
#define MEASURE_SMC_ON_GPU_H

#include "gridcast/smc_gpu.h"
#include "measure/driver/driver.h"

typedef struct smc_on_gpu {
    const driver *d;         /* the calls */
    CUfunction function;     /* the kernel */
    CUdeviceptr header;      /* its variable K_smc */
    bool records;            /* it keeps records */
    const gcast_plan *plan;  /* the one on the GPU; NULL: none yet */
    CUdeviceptr arrays;      /* workers, first, job, counters, marks and records of the plan, in this order */
    CUdeviceptr spare;       /* room for the arrays of a repair: memory cannot be had while other kernels run */
    CUdeviceptr counters;    /* in it */
    CUdeviceptr marks;       /* in it */
    CUdeviceptr job_records; /* in it; 0: none */
} smc_on_gpu;

/* Finds the kernel and its variable. */
gcast_status smc_on_gpu_open(smc_on_gpu *k, const driver *d, CUmodule module, const char *kernel, gcast_error *err);
void smc_on_gpu_close(smc_on_gpu *k);
/* Sends a plan, which must stay; marks and counters are zero then. Waits for the stream. */
gcast_status smc_on_gpu_plan(smc_on_gpu *k, const gcast_plan *plan, CUstream stream, gcast_error *err);
/* How many workers an SM holds; allows the kernel so much dynamic shared memory first. */
gcast_status smc_on_gpu_holds(smc_on_gpu *k, const uint32_t block[3], uint32_t shared_bytes, uint32_t *workers,
                              gcast_error *err);
gcast_status smc_on_gpu_launch(const smc_on_gpu *k, uint32_t workers, const gcast_smc_launch_arguments *a,
                               gcast_error *err);
/* Makes the marks zero, in the stream. */
gcast_status smc_on_gpu_clear(const smc_on_gpu *k, CUstream stream, gcast_error *err);
/* Waits for the stream; `marks` has a word per job, `arrived` (may be NULL) a word per SM: workers of the last launch.
 */
gcast_status smc_on_gpu_fetch(const smc_on_gpu *k, CUstream stream, uint32_t *marks, uint32_t *arrived,
                              gcast_error *err);
gcast_status smc_on_gpu_fetch_records(const smc_on_gpu *k, CUstream stream, gcast_smc_record *records,
                                      gcast_error *err);
/* Runs the jobs in a launch of `workers` that take them from one queue, and waits for its end. Where the plan cannot be
 * made the kernel's again, it has none then. */
gcast_status smc_on_gpu_repair(smc_on_gpu *k, const uint32_t *job, uint32_t jobs, uint32_t workers,
                               const gcast_smc_launch_arguments *a, gcast_error *err);

#endif
