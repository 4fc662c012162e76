/* Nodes of graphs that wait for others of their launch. */
#ifndef SIMULATE_GRAPH_GRAPH_NODES_H
#define SIMULATE_GRAPH_GRAPH_NODES_H

#include "simulate/graph/state.h"

/* Sets sim.graph where the workload has graphs; false without memory. */
bool graph_init(sim *s);
void graph_free(sim *s);
/* The node o is fully dispatched, and its end is known where its blocks do not start one by one. */
void graph_dispatched(sim *s, uint32_t o);
/* All blocks of the node o, which start one by one, have triggered or ended by this time. */
void graph_triggered(sim *s, uint32_t o, int64_t time);
/* Does it count when the node o triggers? */
bool graph_needs_trigger(const sim *s, uint32_t o);
/* o is complete. Is its launch, or o where it is no node? */
bool graph_complete(sim *s, uint32_t o);
/* When the next node has seen its edges; INT64_MAX: it is not known of any. */
int64_t graph_next_time(const sim *s);
/* The next of the nodes that see the last of their edges now; NONE: there is none any more. */
uint32_t graph_next_seen(sim *s);

#endif
