/* Nodes of graphs that wait for others of their launch. */
#ifndef SIMULATE_GRAPH_GRAPH_NODES_H
#define SIMULATE_GRAPH_GRAPH_NODES_H

#include "simulate/graph/state.h"

/* Sets sim.graph where the workload has graphs; false without memory. */
bool graph_init(sim *s);
void graph_free(sim *s);
/* The node o is fully dispatched, and its end is known. */
void graph_dispatched(sim *s, uint32_t o);
/* o is complete. Is its launch, or o where it is no node? */
bool graph_complete(sim *s, uint32_t o);
/* When the next node has seen its edges; INT64_MAX: it is not known of any. */
int64_t graph_next_time(const sim *s);
/* The next of the nodes that see the last of their edges now; NONE: there is none any more. */
uint32_t graph_next_seen(sim *s);

#endif
