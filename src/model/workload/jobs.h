/* Expands a workload to the operations of a run: ops that run once, in the order of the workload, then the ops of every
 * job, with jobs by release and then by task. */
#ifndef MODEL_WORKLOAD_JOBS_H
#define MODEL_WORKLOAD_JOBS_H

#include "gridcast/run.h"

/* Where *horizon is 0, sets it to the default for the workload's tasks. */
gcast_status jobs_horizon(const gcast_workload *w, int64_t *horizon, gcast_error *err);
/* The operations of a run, with no times but release_ns. The caller frees *ops. */
gcast_status jobs_expand(const gcast_workload *w, int64_t horizon, gcast_run_op **ops, size_t *count, gcast_error *err);

#endif
