/* Whether every operation of a workload can run on a GPU at all, and whether its mallocs fit in the GPU's memory. */
#ifndef SIMULATE_LAUNCHABLE_H
#define SIMULATE_LAUNCHABLE_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Does this op take memory of the GPU? */
bool memory_takes(const gcast_op *op);
/* The error of the malloc with index i, which does not fit beside `taken` bytes. */
gcast_status memory_fail(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t taken, gcast_error *err);

/* May a malloc fail in some execution of a workload without frees? */
bool memory_may_fail(const gcast_workload *w, const gcast_gpu *gpu);

/* An error where an operation can never run on this GPU. */
gcast_status launchable_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);

#endif
