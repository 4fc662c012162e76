/* Finds the ranges of all events of a busy period or a cycle. */
#ifndef ANALYZE_BOUND_BY_JOB_JOB_RANGES_H
#define ANALYZE_BOUND_BY_JOB_JOB_RANGES_H

#include "analyze/bound/by_job/job_events.h"

#define BY_JOB_MAX_WORK 5000000 /* windows in all */

/* Widens the ranges until each contains what the others imply; false: there is no fixed point, or it takes too long. */
bool by_job_settle(job_events *s);

/* Shrinks ranges that hold to what they imply for each other, for events that may end at `from_ns` or later. False: a
 * range became empty, so they did not hold. */
bool by_job_shrink(job_events *s, int64_t from_ns);

#endif
