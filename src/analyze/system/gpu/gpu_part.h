/* The GPU's part of a system: its tasks as a workload, and when their operations end. */
#ifndef ANALYZE_SYSTEM_GPU_GPU_PART_H
#define ANALYZE_SYSTEM_GPU_GPU_PART_H

#include "analyze/system/state.h"

/* Ends of all tasks on the GPU from what is known of their releases; marks tasks that wait for them where these have
 * changed. Errors are in x->status. */
void gpu_respond(system_work *x);
/* The same for a GPU that is shared by slices of time. */
void gpu_respond_by_slices(system_work *x);

/* Step `step` of a task on the GPU is over so long after the task's release. */
void gpu_set_end(system_work *x, int task, size_t step, int64_t own_end);
/* The task's own end is that of its last step; marks the task that waits for it. */
void gpu_set_task(system_work *x, int task);

/* The workload, with releases as given (by task; NULL: at the release of the root). */
gcast_status gpu_workload_make(const sys_system *s, const sys_place *places, const sys_range *releases,
                               gcast_workload **w, int *index, gcast_error *err);

#endif
