/* The walk of gcast_run_check through the blocks of a run with clusters: C-cluster, and X1, A2 and C-idle for each part
 * of the GPU. */
#ifndef SIMULATE_CHECK_CLUSTER_WALK_H
#define SIMULATE_CHECK_CLUSTER_WALK_H

#include "simulate/check/block_walk.h"

/* Do the blocks of the kernel start cluster by cluster? */
bool check_is_clustered(const gcast_op *op);
/* Does the run have such a kernel? */
bool check_has_clusters(const gcast_run *run);
/* Goes through the run in the order of time. */
void check_cluster_walk(block_walk *k);

#endif
