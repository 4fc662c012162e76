/* Latest start of an event's last block, or of the copy (lemma 10 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BY_JOB_LATEST_START_H
#define ANALYZE_BOUND_BY_JOB_LATEST_START_H

#include "analyze/bound/by_job/job_events.h"

int64_t by_job_latest_copy(job_events *s, size_t k);
int64_t by_job_latest_kernel(job_events *s, size_t k);

#endif
