/* How long a kernel may have to wait for its turn ("Turns" in docs/model.md). */
#ifndef ANALYZE_TURN_WAIT_H
#define ANALYZE_TURN_WAIT_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* At most so long, where so many streams have kernels; 0: no kernel ever does. */
int64_t turns_most_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t kernel_streams, bool null_kernels);

#endif
