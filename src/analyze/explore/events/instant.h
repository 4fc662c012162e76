/* What follows a set of events that happen at one instant. */
#ifndef ANALYZE_EXPLORE_EVENTS_INSTANT_H
#define ANALYZE_EXPLORE_EVENTS_INSTANT_H

#include "analyze/explore/events/states/state.h"

/* Stores all states that follow q->current if the events of q->happens happen at q->now, within the zone at this depth
 * of the stack. False: with a refusal, or without memory. */
bool event_follow_instant(event_search *q, size_t depth);

#endif
