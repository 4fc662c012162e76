/* Which kernels are before an event in a shared connection (lemma 10 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BY_JOB_CONNECTION_ORDER_H
#define ANALYZE_BOUND_BY_JOB_CONNECTION_ORDER_H

#include "analyze/bound/by_job/job_events.h"

/* Sets job_event.behind of all events, as far as the ranges tell. */
void by_job_join_connections(job_events *s);

/* Earliest and latest time at which all events before k in its connection have entered; INT64_MIN: none is. */
void by_job_held_by_connection(const job_events *s, size_t k, int64_t *least_ns, int64_t *latest_ns);

#endif
