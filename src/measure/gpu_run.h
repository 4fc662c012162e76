/* Launches the caller's own PTX on the GPU, step by step: compile, send the buffers, start, wait, fetch the buffers. */
#ifndef MEASURE_GPU_RUN_H
#define MEASURE_GPU_RUN_H

#include "measure/driver/driver.h"
#include "model/exec.h"

#define GPU_RUN_LIMIT_NS 60000000000 /* where the caller sets none */

typedef struct gpu_run {
    device v;                              /* the GPU */
    CUmodule module;                       /* the compiled PTX */
    CUfunction function;                   /* the kernel */
    CUstream stream;                       /* of the launch */
    CUdeviceptr *memory;                   /* by buffer: its copy on the GPU; 0: none */
    uint32_t buffers;                      /* of the launch */
    CUdeviceptr *variable;                 /* by variable of the launch: its address; NULL: there are none */
    bool is_open;                          /* the device is open */
    const gcast_gpu_exec_options *options; /* have the progress callback; may be NULL */
    double fraction;                       /* progress of the caller's work, for the callback; below 0: not known */
    bool abandoned;                        /* the kernel is still running: nothing can be freed */
} gpu_run;

/* Opens the device, makes a stream and compiles the PTX. gpu_run_close must follow in any case. */
gcast_status gpu_run_open(gpu_run *g, const char *ptx, uint32_t buffers, const char *library, gcast_error *err);
void gpu_run_close(gpu_run *g);
/* Finds the kernel and the variables of the launch, and allows the shared memory that it needs; called once. */
gcast_status gpu_run_find(gpu_run *g, const gcast_launch *l, gcast_error *err);
/* Sends the contents of the caller's buffers, and of variables that are to be set; may be repeated. Other variables
 * keep what the last launch left in them. */
gcast_status gpu_run_send(gpu_run *g, const gcast_launch *l, gcast_error *err);
/* Starts the kernel and waits for its end; limit_ns 0: a minute. */
gcast_status gpu_run_launch(gpu_run *g, const gcast_launch *l, int64_t limit_ns, gcast_error *err);
/* Fetches all buffers and variables; on failure the caller's stay as they were. */
gcast_status gpu_run_fetch(gpu_run *g, gcast_launch *l, gcast_error *err);

#endif
