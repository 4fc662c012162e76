/* Calls, arrivals, entries and departures at one instant. */
#ifndef ANALYZE_EXPLORE_EVENTS_QUEUES_H
#define ANALYZE_EXPLORE_EVENTS_QUEUES_H

#include "analyze/explore/events/event_state.h"

/* An instant calls these in this order; they add the jobs that may enter to q->ready. False without memory. */

/* Kernels have their turn. */
void event_do_turns(event_search *q, event_state *s);
/* Complete operations leave their streams. */
bool event_do_departures(event_search *q, event_state *s);
/* Events of complete operations are seen. */
bool event_do_events(event_search *q, event_state *s);
/* The jobs of q->due are called. */
bool event_do_calls(event_search *q, event_state *s);
/* Operations arrive on the GPU. */
bool event_do_arrivals(event_search *q, event_state *s);
/* The jobs of q->ready enter the queues of their engines. */
bool event_do_entries(event_search *q, event_state *s);

/* Makes an operation complete at its end. */
void event_set_complete(const event_search *q, event_op *op, zone_time end);
/* The next copy that a copy engine starts; NULL: none waits. */
event_op *event_next_copy(event_search *q, event_state *s, int engine);

#endif
