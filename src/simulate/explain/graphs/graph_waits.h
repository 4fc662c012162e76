/* What nodes of graphs wait for: the others of their launch that they are after. */
#ifndef SIMULATE_EXPLAIN_GRAPHS_GRAPH_WAITS_H
#define SIMULATE_EXPLAIN_GRAPHS_GRAPH_WAITS_H

#include "simulate/explain/state.h"

/* The wait of a node from *start until it has seen its edges, one after the other, not after `end`. False without
 * memory. */
bool explain_edges(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end);

#endif
