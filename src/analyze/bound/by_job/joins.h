/* Which kernels are before an event in its connection. */
#ifndef ANALYZE_BOUND_BY_JOB_JOINS_H
#define ANALYZE_BOUND_BY_JOB_JOINS_H

#include "analyze/bound/by_job/state.h"

/* Where connections are shared: notes behind which event each one joins, as far as the ranges tell. */
void by_job_join_connections(job_events *s);

/* The times between which those before k in its connection have entered; INT64_MIN where there are none. */
void by_job_held_by_connection(const job_events *s, size_t k, int64_t *least_ns, int64_t *latest_ns);

#endif
