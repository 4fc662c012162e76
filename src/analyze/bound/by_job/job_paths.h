/* Latest entry and latest last start of an event, from the path of events that it waits for in turn (*Paths* and
 * *Calls* in lemma 10 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BY_JOB_JOB_PATHS_H
#define ANALYZE_BOUND_BY_JOB_JOB_PATHS_H

#include "analyze/bound/by_job/job_events.h"

/* Latest start of the last block of k, a kernel. The search stops at a bound of `enough_ns` or less. */
int64_t by_job_latest_by_paths(job_events *s, size_t k, int64_t enough_ns);
/* With shared connections: the latest entry of k, from all events called before it. */
int64_t by_job_latest_entry_by_calls(job_events *s, size_t k);

#endif
