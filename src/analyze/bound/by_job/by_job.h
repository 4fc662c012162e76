/* Bounds job by job: follows every busy period of a hyperperiod with its known calls (lemma 10 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BY_JOB_BY_JOB_H
#define ANALYZE_BOUND_BY_JOB_BY_JOB_H

#include "analyze/bound/by_job/job_events.h"

/* Shrinks the responses and entries of b->ops, which are bounds or WIDE_HUGE. *found: all are known now, and all busy
 * periods end. If some never end, it follows a whole hyperperiod (cycle.h), and then the streams of higher priorities
 * whose busy periods do end. Changes nothing if the workload is not covered or it takes too long. */
gcast_status bound_by_job(bound *b, bool *found, gcast_error *err);

#endif
