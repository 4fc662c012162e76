/* The store of states that the search by intervals has to follow. */
#ifndef ANALYZE_EXPLORE_INTERVALS_INTERVAL_STORE_H
#define ANALYZE_EXPLORE_INTERVALS_INTERVAL_STORE_H

#include "analyze/explore/intervals/interval_state.h"

/* Stores the state in which nothing has started. False without memory. */
bool interval_store_start(interval_search *q);
/* Stores q->successor, or merges it into a stored state of the same key. False without memory, with a status. */
bool interval_store_add(interval_search *q);
/* Takes out the state with the least progress, and sets its id; NULL: there is none. */
interval_state *interval_store_pop(interval_search *q, uint32_t *id);
/* Frees a state that was taken out. */
void interval_store_drop(interval_search *q, uint32_t id);
/* Memory of the store. */
uint64_t interval_store_bytes(const interval_search *q);
void interval_store_free(interval_search *q);

#endif
