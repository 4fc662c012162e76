/* The calls of members, one after the other. */
#ifndef ANALYZE_BOUND_BY_JOB_MEMBER_CALLS_H
#define ANALYZE_BOUND_BY_JOB_MEMBER_CALLS_H

#include "analyze/bound/by_job/state.h"

/* The next call after `time_ns`. */
int64_t by_job_call_after(const job_events *s, int64_t time_ns);
/* Finds the first call of each member from `start_ns` on, from which they count. */
void by_job_find_first_calls(job_events *s, int64_t start_ns);
/* The member that is called next: of calls at one time, that of the job released first, then in the order of the
 * workload. */
size_t by_job_next_op(const job_events *s);
/* Adds the next event, of a member. */
void by_job_add_event(job_events *s, size_t n);

#endif
