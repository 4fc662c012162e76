/* Kernels that wait in a connection behind kernels of other streams. */
#ifndef ANALYZE_EXPLORE_INTERVALS_CHOICES_SHARED_CONNECTIONS_H
#define ANALYZE_EXPLORE_INTERVALS_CHOICES_SHARED_CONNECTIONS_H

#include "analyze/explore/intervals/state.h"

/* May job `a` be called before job b, which is called by call_hi? */
bool connections_may_be_before(const explore_job *a, const explore_job *b, int64_t call_hi);
/* The choice behind the last one of the same stream as choice `first`. */
size_t interval_stream_end(const interval_search *q, size_t first);
/* By when some job has started, if the choice of some stream among those so far is called. */
int64_t connections_start_max(const interval_search *q);
/* May choice `other`, or a job that it stands for, be called before the last of the choices from `first` to before
 * `end` is? */
bool connections_called_before(const interval_search *q, size_t first, size_t end, const interval_choice *other);
/* Sets until when each choice may be held, and by when the next job of each stream enters in every execution. */
void connections_hold(interval_search *q, interval_state *s);

#endif
