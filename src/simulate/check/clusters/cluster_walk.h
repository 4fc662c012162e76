/* gcast_run_check, block by block, of runs with clusters: C-cluster, and X1, A2 and C-idle by part of the GPU. */
#ifndef SIMULATE_CHECK_CLUSTERS_CLUSTER_WALK_H
#define SIMULATE_CHECK_CLUSTERS_CLUSTER_WALK_H

#include "simulate/check/block_walk.h"

/* Do the blocks of the kernel start cluster by cluster? */
bool check_is_clustered(const gcast_op *op);
/* Has the run such a kernel? */
bool check_has_clusters(const gcast_run *run);
/* Goes through the run in the order of time. */
void check_cluster_walk(block_walk *k);

#endif
