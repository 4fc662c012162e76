#ifndef MODEL_WORKLOAD_JOBS_H
#define MODEL_WORKLOAD_JOBS_H

#include "gridcast/run.h"

/* *horizon as given, or where it is 0 the default for the workload's tasks. */
gcast_status jobs_horizon(const gcast_workload *w, int64_t *horizon, gcast_error *err);
/* The operations of a run, no times filled in but release_ns. The caller frees *ops. */
gcast_status jobs_expand(const gcast_workload *w, int64_t horizon, gcast_run_op **ops, size_t *count, gcast_error *err);

#endif
