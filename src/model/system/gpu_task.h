/* A task on the GPU as one of a workload: its simulation and its analysis see the same. */
#ifndef MODEL_SYSTEM_GPU_TASK_H
#define MODEL_SYSTEM_GPU_TASK_H

#include "model/system/system.h"

/* Adds a stream, of the place's priority with the sign changed as far as the GPU has levels, and a task with the copies
 * and kernels of `of`, called one after the other at its release. `when` has its period, offset, jitter and whether it
 * is sporadic; `number` counts the tasks added. */
gcast_status system_add_gpu_task(const sys_system *s, const sys_place *place, const sys_task *of,
                                 const gcast_task *when, int number, gcast_workload *w, gcast_error *err);

#endif
