/* Operations of jobs that are late, in the order in which calls of one time are made (docs/model.md): ops that run once
 * first, then jobs by when they are released, and of one time by task. */
#ifndef PROPERTY_LATE_JOBS_H
#define PROPERTY_LATE_JOBS_H

#include "gridcast/run.h"
#include "gridcast/workload.h"

/* `ops` are those of jobs_expand, and `releases` says when each is released. order[i] becomes the operation that is the
 * i-th. True where that is the order without any lateness. */
bool late_jobs_order(const gcast_workload *w, const gcast_run_op *ops, const int64_t *releases, size_t count,
                     size_t *order);
/* An execution as a workload in which every operation runs once; order[i] is the operation that op i stands for. */
gcast_workload *late_jobs_workload(const gcast_workload *w, const gcast_run_op *ops, const int64_t *releases,
                                   size_t count, size_t *order);

#endif
