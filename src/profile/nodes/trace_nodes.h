/* Nodes and edges of CUDA graphs, where a recording has them. */
#ifndef PROFILE_NODES_TRACE_NODES_H
#define PROFILE_NODES_TRACE_NODES_H

#include "profile/state.h"

/* Sorts them, leads edges and operations to the nodes that the program made, and keeps each once. */
void trace_nodes_finish(owned_trace *o);
/* The node of this number; NULL: there is none. */
const prof_node *graph_node_find(const prof_trace *t, int64_t pid, int64_t number);
/* The edges that lead to the node: *count of them. */
const prof_edge *graph_edges_to(const prof_trace *t, int64_t pid, int64_t node, size_t *count);

#endif
