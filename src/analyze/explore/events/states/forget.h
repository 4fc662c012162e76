/* What cannot matter any more in a state. */
#ifndef ANALYZE_EXPLORE_EVENTS_STATES_FORGET_H
#define ANALYZE_EXPLORE_EVENTS_STATES_FORGET_H

#include "analyze/explore/events/states/state.h"

/* Forgets what can decide nothing after q->now. */
void event_forget(event_search *q, event_state *s);

#endif
