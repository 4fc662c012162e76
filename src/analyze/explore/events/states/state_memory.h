/* The memory of states that are worked on. */
#ifndef ANALYZE_EXPLORE_EVENTS_STATES_STATE_MEMORY_H
#define ANALYZE_EXPLORE_EVENTS_STATES_STATE_MEMORY_H

#include "analyze/explore/events/states/state.h"

/* Makes the state in which nothing was called. False without memory; it must be freed all the same. */
bool event_state_init(event_search *q, event_state *s);
void event_state_free(event_state *s);
/* Both states were initialized. False without memory. */
bool event_state_copy(const event_search *q, event_state *to, const event_state *from);

#endif
