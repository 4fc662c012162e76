/* Whether the mallocs of a workload fit in the GPU's memory. */
#ifndef SIMULATE_RULES_MEMORY_LIMIT_H
#define SIMULATE_RULES_MEMORY_LIMIT_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Does this op take memory of the GPU? */
bool memory_takes(const gcast_op *op);
/* The error of the malloc with index i, which does not fit beside `taken` bytes. */
gcast_status memory_fail(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t taken, gcast_error *err);
/* Is there a malloc, or are there mallocs together, that cannot succeed in any execution? */
gcast_status memory_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* May there be executions, of a workload without frees, in which a malloc cannot succeed? */
bool memory_may_fail(const gcast_workload *w, const gcast_gpu *gpu);

#endif
