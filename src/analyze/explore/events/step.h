/* The two halves of an instant. */
#ifndef ANALYZE_EXPLORE_EVENTS_STEP_H
#define ANALYZE_EXPLORE_EVENTS_STEP_H

#include "analyze/explore/events/states/state.h"

/* Both return false with a refusal, or without memory. */

/* Ends, then departures, calls, arrivals and entries. */
bool event_do_queues(event_search *q, event_state *s);
/* Resources that are freed, then starts of copies and blocks. */
bool event_do_starts(event_search *q, event_state *s);

#endif
