/* Chains of a graph: what of a launch the driver puts into which connection (docs/model.md, Graphs). */
#ifndef SIMULATE_RULES_GRAPH_CHAINS_H
#define SIMULATE_RULES_GRAPH_CHAINS_H

#include "simulate/rules/graph_shape.h"

/* A memset of a node of more bytes is a kernel of the driver. */
#define GRAPH_SMALL_MEMSET 4096

/* Is number k of what op i is after a node of the same launch? */
bool graph_is_inside(const gcast_workload *w, size_t i, size_t k);
/* Sets is_root, is_inner, in_first, joins, joins_behind and copies_behind of all nodes, whose place is known. */
void graph_chains_set(graph_node *nodes, const gcast_workload *w, const gcast_gpu *gpu);
/* Is this node a copy between host and device? */
bool graph_is_between(const gcast_op *op);
#endif
