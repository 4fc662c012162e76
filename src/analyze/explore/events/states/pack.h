/* A state as words, and back. */
#ifndef ANALYZE_EXPLORE_EVENTS_STATES_PACK_H
#define ANALYZE_EXPLORE_EVENTS_STATES_PACK_H

#include "analyze/explore/events/states/state.h"

/* Writes the key of a state to q->key, and the bounds of its zone; returns the number of its variables. Sets
 * q->out_of_memory where memory is short. Sorts the residents and ends of the state. */
uint32_t event_pack(event_search *q, event_state *s, int64_t *bounds);
/* False without memory. */
bool event_unpack(event_search *q, event_state *s, const event_packed *packed);

#endif
