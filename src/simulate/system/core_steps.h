/* Cores: which task runs, and its steps. */
#ifndef SIMULATE_SYSTEM_CORE_STEPS_H
#define SIMULATE_SYSTEM_CORE_STEPS_H

#include "simulate/system/state.h"

/* Everything that happens on the cores now. What has ended on the GPU now was told before (cores_gpu_job_ends). */
void cores_now(system_sim *x);
/* Nothing happens any more: what tasks do that wait for ever on their cores is recorded up to now. */
void cores_stop(system_sim *x);
/* The job of a task on the GPU that is under way ends now. */
void cores_gpu_job_ends(system_sim *x, int task, int64_t start_ns);

#endif
