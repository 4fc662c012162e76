/* Cores: which task runs, and the steps of tasks. */
#ifndef SIMULATE_SYSTEM_CORE_STEPS_H
#define SIMULATE_SYSTEM_CORE_STEPS_H

#include "simulate/system/system_state.h"

/* Does everything that happens on the cores now. Call cores_gpu_job_ends before, for jobs that end on the GPU now. */
void cores_now(system_sim *x);
/* At the end: records the slices of tasks that wait for ever on their cores. */
void cores_stop(system_sim *x);
/* The current job of a task on the GPU ends now. */
void cores_gpu_job_ends(system_sim *x, int task, int64_t start_ns);

#endif
