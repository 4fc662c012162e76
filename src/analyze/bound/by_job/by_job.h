/* The bound job by job: every busy period of a hyperperiod, with the calls that it has (lemma 10 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BY_JOB_BY_JOB_H
#define ANALYZE_BOUND_BY_JOB_BY_JOB_H

#include "analyze/bound/by_job/state.h"

/* Shrinks responses and entries of b->ops, which are bounds, or WIDE_HUGE where none is known. *found: all are known
 * now, from busy periods that have ends. Where these have none, it looks at a hyperperiod as a whole (cycle.h); and for
 * streams down to a priority for which they have. Where it would take too long, or does not cover the workload, it
 * leaves responses as they are. */
gcast_status bound_by_job(bound *b, bool *found, gcast_error *err);

#endif
