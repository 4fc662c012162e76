/* A launch of the caller's own PTX on the GPU, step by step: compiled, its buffers
 * sent, started, watched, fetched. */
#ifndef MEASURE_TIMES_GPU_RUN_H
#define MEASURE_TIMES_GPU_RUN_H

#include "gridcast/exec.h"
#include "measure/driver/device.h"

#define GPU_RUN_LIMIT_NS 60000000000 /* without a limit from the caller */

typedef struct gpu_run {
    device v;
    CUmodule module;
    CUfunction function;
    CUstream stream;
    CUdeviceptr *memory; /* of each buffer; 0: none */
    uint32_t buffers;
    bool is_open;
    const gcast_gpu_exec_options *options; /* whom to tell how much is done; NULL */
    double fraction;                       /* what is told: of what the caller does; below 0: not known */
    bool abandoned;                        /* the kernel is still running: nothing can be given back */
} gpu_run;

/* The device, a stream, and the PTX compiled; gpu_run_close in any case. */
gcast_status gpu_run_open(gpu_run *g, const char *ptx, uint32_t buffers, const char *library, gcast_error *err);
void gpu_run_close(gpu_run *g);
/* The kernel of the launch, with the shared memory it wants. */
gcast_status gpu_run_find(gpu_run *g, const gcast_launch *l, gcast_error *err);
/* Buffers as the caller has them; may be done again. */
gcast_status gpu_run_send(gpu_run *g, const gcast_launch *l, gcast_error *err);
/* Start the kernel and wait for its end; limit_ns 0: a minute. */
gcast_status gpu_run_launch(gpu_run *g, const gcast_launch *l, int64_t limit_ns, gcast_error *err);
/* All buffers arrive, or the caller's stay as they were. */
gcast_status gpu_run_fetch(gpu_run *g, gcast_launch *l, gcast_error *err);

#endif
