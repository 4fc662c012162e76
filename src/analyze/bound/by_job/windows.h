/* When an event's last block, or the copy, starts at the latest. */
#ifndef ANALYZE_BOUND_BY_JOB_WINDOWS_H
#define ANALYZE_BOUND_BY_JOB_WINDOWS_H

#include "analyze/bound/by_job/state.h"

int64_t by_job_latest_copy(job_events *s, size_t k);
int64_t by_job_latest_kernel(job_events *s, size_t k);

#endif
