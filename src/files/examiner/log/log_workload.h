/* The workload that logs are of: their kernels, without host threads, as the workloads of corpora are. */
#ifndef FILES_EXAMINER_LOG_LOG_WORKLOAD_H
#define FILES_EXAMINER_LOG_LOG_WORKLOAD_H

#include "files/examiner/log/log_config.h"
#include "files/examiner/log/state.h"

/* Its notes say what the logs do not tell. `config` is NULL where the configuration is not known. *w is NULL where this
 * fails. */
gcast_status log_workload_create(const log_set *set, const log_config *config, const gcast_gpu *gpu, gcast_workload **w,
                                 gcast_error *err);

#endif
