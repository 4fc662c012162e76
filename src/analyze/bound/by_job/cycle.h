/* Ranges of the events of a hyperperiod that repeats without an idle time (lemma 11 of docs/bound.md). */
#ifndef ANALYZE_BOUND_BY_JOB_CYCLE_H
#define ANALYZE_BOUND_BY_JOB_CYCLE_H

#include "analyze/bound/by_job/job_events.h"

/* Finds the ranges of all events of a hyperperiod, whatever came before it; *found: there are such ranges. `first_ns`:
 * all ops have been called by then. */
gcast_status by_job_follow_cycle(job_events *s, int64_t first_ns, bool *found, gcast_error *err);

/* Updates s->responses_ns and s->entries_ns with these events. */
void by_job_note_responses(job_events *s, size_t from, size_t until);

/* Finds the events that matter to k: sets s->from, s->until and s->cut_ns. */
void by_job_find_range(job_events *s, size_t k);
/* Copies the times of a changed event to its repetitions. */
void by_job_copy_event(job_events *s, size_t k);
/* Are all events that matter to k among s->events? */
bool by_job_is_inside(const job_events *s, size_t k);

#endif
