/* The ranges of all events of a busy period. */
#ifndef ANALYZE_BOUND_BY_JOB_JOB_RANGES_H
#define ANALYZE_BOUND_BY_JOB_JOB_RANGES_H

#include "analyze/bound/by_job/state.h"

#define BY_JOB_MAX_WORK 5000000 /* windows looked at in all */

/* Widens them until each holds what the others give for it; false: they have no end, or it takes too long. */
bool by_job_settle(job_events *s);

/* What ranges that hold give for each other holds, too, and may be less: shrinks those of events that may end at
 * `from_ns` or later. False: they cannot have held. */
bool by_job_shrink(job_events *s, int64_t from_ns);

#endif
