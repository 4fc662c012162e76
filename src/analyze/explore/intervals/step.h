/* A step of the search by intervals: the state after a choice has started. */
#ifndef ANALYZE_EXPLORE_INTERVALS_STEP_H
#define ANALYZE_EXPLORE_INTERVALS_STEP_H

#include "analyze/explore/intervals/interval_state.h"

/* Makes q->successor, the state after s when the choice starts. False: no execution has this choice. */
bool interval_step(interval_search *q, interval_state *s, const interval_choice *c);
/* Notes in the successor n that a job is fully dispatched: its outcome is a result, and bounds later jobs of its
 * stream. */
void interval_dispatched(interval_search *q, interval_state *n, uint32_t job, const job_outcome *o);
/* Forgets the times of slots that came free before the last start, since nothing starts earlier any more, so that more
 * states merge. */
void interval_forget_past(const interval_search *q, interval_state *n);

#endif
