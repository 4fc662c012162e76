/* What the GPU did, by logs. */
#ifndef FILES_EXAMINER_LOG_LOG_RUN_H
#define FILES_EXAMINER_LOG_LOG_RUN_H

#include "files/examiner/log/state.h"

/* A run of the workload that log_workload_create made of the set. *run is NULL where this fails. */
gcast_status log_run_create(const log_set *set, size_t index, const gcast_workload *w, gcast_run **run,
                            gcast_error *err);

#endif
