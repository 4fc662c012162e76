/* Response bounds from busy periods (lemma 9 of docs/bound.md): after an instant at which nothing waits, only events
 * called since then can delay an event. */
#ifndef ANALYZE_BOUND_BUSY_PERIOD_H
#define ANALYZE_BOUND_BUSY_PERIOD_H

#include "analyze/bound/bound_state.h"

/* Sums what ops that run once add to every busy period. Call it before the others. False without memory. */
bool bound_busy_prepare(bound *b);
/* Lower limit of what bound_busy_response can return: every busy period has all ops of k's stream that run once. */
static inline wide bound_busy_least(const bound *b, const bound_op *k)
{
    return b->once_length_ns[k->op->stream];
}
/* Bound of k's response; WIDE_HUGE: busy periods may never end. `by_responses`: events of lower levels interfere only
 * within their response times; false: always, and the result is cached in k. */
wide bound_busy_response(bound *b, bound_op *k, bool by_responses);
/* As bound_busy_response, but with the given offsets of the tasks; WIDE_HUGE also if the hyperperiod is too long. */
wide bound_busy_response_in_phase(bound *b, const bound_op *k);

/* The next two need strictly periodic tasks without jitter. Times count from the call at `start_ns`, before which all
 * members were over: the events in streams of `lowest`'s priority level or above. */
/* Length of the busy period; WIDE_HUGE: it may never end, or is longer than `max_ns`. */
wide bound_busy_period_from(bound *b, const bound_op *lowest, int64_t start_ns, wide max_ns);
/* Latest end of the event of k, a member, that is called at `call_ns`. */
wide bound_busy_end_from(bound *b, const bound_op *lowest, int64_t start_ns, const bound_op *k, int64_t call_ns);

#endif
