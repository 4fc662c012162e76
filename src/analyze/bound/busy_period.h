/* Responses by busy periods, lemma 9 of docs/bound.md: from a time at which nothing waits, everything that happens
 * until an event ends is due to events that were called since. */
#ifndef ANALYZE_BOUND_BUSY_PERIOD_H
#define ANALYZE_BOUND_BUSY_PERIOD_H

#include "analyze/bound/state.h"

/* Adds up what ops that run once add to busy periods; false without memory. Before all else. */
bool bound_busy_prepare(bound *b);
/* No busy period shows k to respond sooner: each has all ops of k's stream that run once. */
static inline wide bound_busy_least(const bound *b, const bound_op *k)
{
    return b->once_length_ns[k->op->stream];
}
/* When k ends at the latest, after its call; WIDE_HUGE: busy periods may have no end. `by_responses`: events of lower
 * levels count as long as their responses say; false: always, which is found once. */
wide bound_busy_response(bound *b, bound_op *k, bool by_responses);
/* The same for tasks with the offsets that they have; WIDE_HUGE also where their hyperperiod is too long. */
wide bound_busy_response_in_phase(bound *b, const bound_op *k);

/* The next two are for tasks that are periodic and never late, and count from `start_ns`, a call before which all
 * events of streams of `lowest`'s level or above were over. */
/* How long it takes until all of these are over again; WIDE_HUGE: perhaps for ever, or more than `max_ns`. */
wide bound_busy_period_from(bound *b, const bound_op *lowest, int64_t start_ns, wide max_ns);
/* When an event of k, one of them, has ended that is called `call_ns` later. */
wide bound_busy_end_from(bound *b, const bound_op *lowest, int64_t start_ns, const bound_op *k, int64_t call_ns);

#endif
