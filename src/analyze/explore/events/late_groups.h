/* Jobs of tasks whose releases are at times that are not known. */
#ifndef ANALYZE_EXPLORE_EVENTS_LATE_GROUPS_H
#define ANALYZE_EXPLORE_EVENTS_LATE_GROUPS_H

#include "analyze/explore/events/states/state.h"

/* Is the job called after one that has not been, in every execution, as its task is sporadic? */
bool event_call_is_later(const event_search *q, const event_state *s, uint32_t job);
/* An op of a group may be called next: the call of the group's first op becomes a variable, unless it is one. False:
 * with a refusal, or without memory. */
bool event_add_late_group(event_search *q, event_state *s, uint32_t group);
/* Forgets groups of which all ops have been called. False: with a refusal, or without memory. */
bool event_drop_late_groups(event_search *q, event_state *s);

#endif
