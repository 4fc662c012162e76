/* Events in the search by intervals: what a state knows of the jobs that others are after. */
#ifndef ANALYZE_EXPLORE_INTERVALS_EVENTS_H
#define ANALYZE_EXPLORE_INTERVALS_EVENTS_H

#include "analyze/explore/intervals/state.h"

/* Has every job started, with all its blocks, that this job is after? */
bool interval_events_known(const interval_search *q, const interval_state *s, uint32_t job);
/* When all events are seen that a job waits for, at the earliest (`times`: the earliest times of a state) or at the
 * latest (`times`: the latest times); INT64_MIN: it waits for none. Events of jobs that have not started do not
 * count. */
int64_t interval_events_seen(const interval_search *q, const explore_job *j, const int64_t *times);
/* The earliest and the latest such time if the job is called at `call`. A job that it is after was called a fixed time
 * before. `lo` and `hi` are the times of a state in which all these jobs have started. */
int64_t interval_events_seen_lo(const interval_search *q, const explore_job *j, int64_t call, const int64_t *lo);
int64_t interval_events_seen_hi(const interval_search *q, const explore_job *j, int64_t call, const int64_t *hi);
/* The job is fully dispatched: keeps its outcome while a job is left that is after it, and drops the outcomes of those
 * that it was after and that no job is left for. */
void interval_note_events(const interval_search *q, interval_state *n, uint32_t job, const job_outcome *o);

#endif
