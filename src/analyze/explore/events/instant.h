/* One instant of the search by events: chooses the pending events that happen next, and follows every decision that
 * they leave open, through ends, calls, queues and starts, to the next states. */
#ifndef ANALYZE_EXPLORE_EVENTS_INSTANT_H
#define ANALYZE_EXPLORE_EVENTS_INSTANT_H

#include "analyze/explore/events/event_state.h"

/* Stores all successors of q->current. False: with a refusal, or without memory. */
bool event_follow_state(event_search *q);

#endif
