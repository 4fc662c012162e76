/* Starts of copies and blocks at one instant. */
#ifndef ANALYZE_EXPLORE_EVENTS_DISPATCH_H
#define ANALYZE_EXPLORE_EVENTS_DISPATCH_H

#include "analyze/explore/events/event_state.h"

/* Each starts what can start at q->now. False: with a refusal, or without memory. */
bool event_start_copies(event_search *q, event_state *s);
bool event_start_blocks(event_search *q, event_state *s);

#endif
