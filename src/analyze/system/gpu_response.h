/* Responses on the GPU, in one context or with time slices, and its tasks as a workload. */
#ifndef ANALYZE_SYSTEM_GPU_RESPONSE_H
#define ANALYZE_SYSTEM_GPU_RESPONSE_H

#include "analyze/system/system_work.h"

/* Computes the ends of all tasks on the GPU from their current releases, and marks tasks that wait for an end that
 * changed. Errors are in x->status. */
void gpu_respond(system_work *x);

/* The GPU's tasks as a workload; releases are by task (NULL: at the release of the root). */
gcast_status gpu_workload_make(const sys_system *s, const sys_place *places, const sys_range *releases,
                               gcast_workload **w, int *index, gcast_error *err);

#endif
