/* Responses by busy periods, lemma 9 of docs/bound.md: from a time at which nothing waits, everything that happens
 * until an event ends is due to events that were called since. */
#ifndef ANALYZE_BOUND_BUSY_PERIOD_H
#define ANALYZE_BOUND_BUSY_PERIOD_H

#include "analyze/bound/state.h"

/* When k ends at the latest, after its call; WIDE_HUGE: busy periods may have no end. `by_responses`: events of lower
 * levels count as long as their responses say; false: always, which is found once. */
wide bound_busy_response(bound *b, bound_op *k, bool by_responses);
/* The same for tasks with the offsets that they have; WIDE_HUGE also where their hyperperiod is too long. */
wide bound_busy_response_in_phase(bound *b, const bound_op *k);

#endif
