/* The bound job by job: every busy period of a hyperperiod, with the calls that it has (lemma 10 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BY_JOB_BY_JOB_H
#define ANALYZE_BOUND_BY_JOB_BY_JOB_H

#include "analyze/bound/state.h"

/* Shrinks responses and entries of b->ops, which are bounds, or WIDE_HUGE where none is known. *found: they are all
 * known now. Where busy periods have no end or it would take too long, it does so for streams down to a priority for
 * which they have; where there is none, or it does not cover the workload, it leaves them as they are. */
gcast_status bound_by_job(bound *b, bool *found, gcast_error *err);

#endif
