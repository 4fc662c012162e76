/* Tasks on the GPU: which may run there, the priorities of their streams, and time slices. */
#ifndef AMALTHEA_LOWER_GPU_TASKS_H
#define AMALTHEA_LOWER_GPU_TASKS_H

#include "amalthea/lower/lowering.h"

/* Finds the tasks that may run on the GPU: those that the model puts there, or whose ticks all have an entry for the
 * GPU; and the labels in its memory. */
gcast_status gpu_candidates_find(lowering *l);
/* The priority of a task's stream, with the sign of CUDA's number changed: higher numbers first. */
int64_t stream_priority(const lowering *l, const sys_task *t);
/* Adds findings where the model has another order of tasks on the GPU, or a scheduler of another kind. */
gcast_status gpu_order_check(lowering *l);
/* Finds how contexts share the GPU, and the time slices of tasks. */
gcast_status time_slices_find(lowering *l);

#endif
