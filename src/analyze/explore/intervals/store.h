/* The states of the search by intervals that wait to be followed. */
#ifndef ANALYZE_EXPLORE_INTERVALS_STORE_H
#define ANALYZE_EXPLORE_INTERVALS_STORE_H

#include "analyze/explore/intervals/state.h"

/* Stores the state in which nothing has started. False without memory. */
bool interval_store_start(interval_search *q);
/* Stores q->successor, or widens a stored state of the same key by it. False without memory, with a status. */
bool interval_store_add(interval_search *q);
/* The stored state with the least progress, which is stored no longer, and its id; NULL: none is left. */
interval_state *interval_store_pop(interval_search *q, uint32_t *id);
/* Frees the memory of a state that was popped. */
void interval_store_drop(interval_search *q, uint32_t id);
/* How much memory the store has taken. */
uint64_t interval_store_bytes(const interval_search *q);
void interval_store_free(interval_search *q);

#endif
