/* What nodes of graphs wait for: the others of their launch that they are after. */
#ifndef SIMULATE_EXPLAIN_GRAPHS_GRAPH_WAITS_H
#define SIMULATE_EXPLAIN_GRAPHS_GRAPH_WAITS_H

#include "simulate/explain/state.h"

/* The first operation of the launch of operation i, and the one behind its last; i and i + 1 where it is no node. */
size_t graph_launch_first(const gcast_run *run, size_t i);
size_t graph_launch_behind(const gcast_run *run, size_t i);
/* The node of the launch of i that was complete last; i, where it is no node. */
size_t graph_launch_last(const gcast_run *run, size_t i);
/* Is operation i after others of its launch? */
bool graph_node_has_edges(const gcast_run *run, size_t i);
/* The wait of a node from *start until it has seen its edges, one after the other, not after `end`. False without
 * memory. */
bool explain_edges(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end);

#endif
