/* The states of the search by events that wait to be followed. */
#ifndef ANALYZE_EXPLORE_EVENTS_STATES_STORE_H
#define ANALYZE_EXPLORE_EVENTS_STATES_STORE_H

#include "analyze/explore/events/states/state.h"

/* How much progress it is from before a job's call until all of it is over. */
static inline uint64_t event_job_weight(const explore_job *j)
{
    return 4 * j->block_count + 9 + (j->event != EXPLORE_NONE);
}

/* Stores a state, or widens a stored state of the same key by it. False without memory. */
bool event_store_add(event_search *q, event_state *s);
/* Takes out the state with the least progress. False: none is left, or memory is short. */
bool event_store_pop(event_search *q, event_state *s);
void event_store_free(event_search *q);

#endif
