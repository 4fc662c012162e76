#ifndef ANALYZE_WITNESS_FRAME_H
#define ANALYZE_WITNESS_FRAME_H

#include "analyze/witness/state.h"
#include "gridcast/witness.h"

/* By how much calls may take longer than the minimum, which is that of the GPU, to reach it. */
typedef struct latency_range {
    int64_t launch_ns; /* of kernels */
    int64_t copy_ns;   /* of copies and memsets */
} latency_range;

/* The operations of a workload that has been checked, up to the horizon of the options or one that is chosen. */
gcast_status frame_create(frame *f, const gcast_workload *w, const gcast_gpu *gpu, const latency_range *latency,
                          const gcast_witness_options *options, gcast_error *err);
void frame_free(frame *f);

#endif
