/* How long a kernel may have to wait for its turn ("Turns" in docs/model.md). */
#ifndef ANALYZE_TURN_WAIT_H
#define ANALYZE_TURN_WAIT_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* The longest wait for a turn when this many streams, perhaps the NULL stream too, have kernels; 0: nothing waits. */
int64_t turn_wait_max_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t kernel_streams, bool has_null_kernels);

#endif
