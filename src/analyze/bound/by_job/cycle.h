/* The events of a hyperperiod, over and over. */
#ifndef ANALYZE_BOUND_BY_JOB_CYCLE_H
#define ANALYZE_BOUND_BY_JOB_CYCLE_H

#include "analyze/bound/by_job/state.h"

/* Ranges of all events of a hyperperiod, whatever was before; *found: they have ends. `first_ns`: all ops have been
 * called by then. */
gcast_status by_job_follow_cycle(job_events *s, int64_t first_ns, bool *found, gcast_error *err);

/* Notes the longest responses of these events. */
void by_job_note_responses(job_events *s, size_t from, size_t until);

/* Finds the events that matter to k: s->from, s->until and s->cut_ns. */
void by_job_find_range(job_events *s, size_t k);
/* Gives the times of an event to its repetitions, after a change. */
void by_job_copy_event(job_events *s, size_t k);
/* Are all events known that matter to k? */
bool by_job_is_inside(const job_events *s, size_t k);

#endif
