/* Which sets of pending events may be the next to happen in a state. */
#ifndef ANALYZE_EXPLORE_EVENTS_NEXT_INSTANT_H
#define ANALYZE_EXPLORE_EVENTS_NEXT_INSTANT_H

#include "analyze/explore/events/states/state.h"

/* Stores all states that follow q->current. False: with a refusal, or without memory. */
bool event_follow_state(event_search *q);

#endif
