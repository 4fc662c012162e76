/* Whether clusters can run on a GPU at all. */
#ifndef SIMULATE_RULES_CLUSTER_CHECK_H
#define SIMULATE_RULES_CLUSTER_CHECK_H

#include "gridcast/workload.h"

/* An error where a kernel has clusters that this GPU, with the partition taken, cannot run, or that are not known. */
gcast_status clusters_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);

#endif
