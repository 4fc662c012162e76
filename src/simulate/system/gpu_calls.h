/* Tasks on a GPU with one context, which the engine simulates: the operations of a job are called when it is
 * released. */
#ifndef SIMULATE_SYSTEM_GPU_CALLS_H
#define SIMULATE_SYSTEM_GPU_CALLS_H

#include "simulate/engine/simulate.h"
#include "simulate/system/system_state.h"

typedef struct gpu_calls {
    struct sim *engine;
    gcast_workload *workload; /* a task for each task on the GPU */
    int *task_of;             /* by task of the workload: the task of the system */
    uint32_t *first_op;       /* by job: its first operation */
    uint32_t *op_job;         /* by operation: its job; in the memory of the run */
    arena *memory;            /* of the run */
} gpu_calls;

/* Simulates cores and GPU together; *run and the workload are the caller's. */
gcast_status gpu_calls_simulate(system_sim *x, gpu_calls *calls, gcast_run **run);
/* A job of a task on the GPU is released now. */
void gpu_calls_release(system_sim *x, int task, uint32_t number);

#endif
