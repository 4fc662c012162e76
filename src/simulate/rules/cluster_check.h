/* Whether clusters can run on a GPU at all. */
#ifndef SIMULATE_RULES_CLUSTER_CHECK_H
#define SIMULATE_RULES_CLUSTER_CHECK_H

#include "gridcast/workload.h"

/* An error where a kernel has clusters that this GPU, with the partition taken, cannot run, or that are not known. */
gcast_status clusters_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);

/* Blocks of a kernel with clusters that are resident at once at most, where an SM holds `per_sm` of them. */
uint64_t clusters_most_blocks(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op, uint32_t per_sm);

#endif
