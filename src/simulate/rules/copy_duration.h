/* How long a copy or memset takes whose duration is not given. */
#ifndef SIMULATE_RULES_COPY_DURATION_H
#define SIMULATE_RULES_COPY_DURATION_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Bytes over bandwidth, and the overhead of its direction, for the op with index i. */
gcast_status copy_bytes_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t i, int64_t *ns, gcast_error *err);
/* The longest that one takes whose bytes usually take usual_ns: copies between host and device are not equally fast. */
int64_t copy_slowest_ns(const gcast_gpu *gpu, const gcast_op *op, int64_t usual_ns);
/* How much longer it takes at most: after a pause, and beside a copy in the other direction. */
int64_t copy_max_extra_ns(const gcast_gpu *gpu, const gcast_op *op);

#endif
