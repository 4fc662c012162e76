/* A step: what a state becomes when a choice starts. */
#ifndef ANALYZE_EXPLORE_INTERVALS_STEP_H
#define ANALYZE_EXPLORE_INTERVALS_STEP_H

#include "analyze/explore/intervals/state.h"

/* Makes q->successor from s. False: no execution has this choice. */
bool interval_step(interval_search *q, interval_state *s, const interval_choice *c);
/* A job of the successor n is fully dispatched: its outcome becomes a result, and bounds what follows in its stream. */
void interval_dispatched(interval_search *q, interval_state *n, uint32_t job, const job_outcome *o);
/* Nothing starts before the last start any more: when slots came free before it is forgotten, so that more states
 * become one. */
void interval_forget_past(const interval_search *q, interval_state *n);

#endif
