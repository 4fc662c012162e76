/* When an event enters, or starts its last block, at the latest, by the events that it waits for one after the other.
 */
#ifndef ANALYZE_BOUND_BY_JOB_JOB_PATHS_H
#define ANALYZE_BOUND_BY_JOB_JOB_PATHS_H

#include "analyze/bound/by_job/state.h"

/* The last start of k, a kernel, at the latest; no better one is looked for than `enough_ns`. */
int64_t by_job_latest_by_paths(job_events *s, size_t k, int64_t enough_ns);
/* Where connections are shared, when k enters at the latest, by all that was called before it. */
int64_t by_job_latest_entry_by_calls(job_events *s, size_t k);

#endif
