/* Where a cluster of a kernel could start, for waits of clusters. */
#ifndef SIMULATE_EXPLAIN_ATTRIBUTES_CLUSTER_WAITS_H
#define SIMULATE_EXPLAIN_ATTRIBUTES_CLUSTER_WAITS_H

#include "gridcast/run.h"
#include "simulate/blocks/sm.h"

/* Marks the SMs, by rank, of GPCs that can hold a cluster of the operation; false: it has none. */
bool explain_cluster_sms(const gcast_run *run, size_t run_op, const sm_set *sms, bool *on_rank);

#endif
