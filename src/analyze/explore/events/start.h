/* Copies and blocks that start at one instant. */
#ifndef ANALYZE_EXPLORE_EVENTS_START_H
#define ANALYZE_EXPLORE_EVENTS_START_H

#include "analyze/explore/events/states/state.h"

/* Both return false with a refusal, or without memory. */
bool event_start_copies(event_search *q, event_state *s);
bool event_start_blocks(event_search *q, event_state *s);

#endif
