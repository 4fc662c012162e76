/* The store of states that the search by events has to follow. */
#ifndef ANALYZE_EXPLORE_EVENTS_EVENT_STORE_H
#define ANALYZE_EXPLORE_EVENTS_EVENT_STORE_H

#include "analyze/explore/events/event_state.h"

/* The progress that one job makes, from before its call until it is over. */
static inline uint64_t event_job_weight(const explore_job *j)
{
    return 4 * j->block_count + 9 + (j->event != EXPLORE_NONE);
}

/* Stores a state, or merges it into a stored state of the same key. False without memory. */
bool event_store_add(event_search *q, event_state *s);
/* Takes out the state with the least progress. False: there is none, or no memory. */
bool event_store_pop(event_search *q, event_state *s);
void event_store_free(event_search *q);

#endif
