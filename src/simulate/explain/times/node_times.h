/* Launches of graphs in a run, and when each node of one was done. */
#ifndef SIMULATE_EXPLAIN_TIMES_NODE_TIMES_H
#define SIMULATE_EXPLAIN_TIMES_NODE_TIMES_H

#include "gridcast/run.h"
#include "simulate/rules/graph_shape.h"

/* The first operation of the launch of operation i, and the one behind its last; i and i + 1 where it is no node. */
size_t graph_launch_first(const gcast_run *run, size_t i);
size_t graph_launch_behind(const gcast_run *run, size_t i);
/* The node of the launch of i that was complete last; i, where it is no node. */
size_t graph_launch_last(const gcast_run *run, size_t i);
/* Is operation i after others of its launch? */
bool graph_node_has_edges(const gcast_run *run, size_t i);

/* The nodes of one launch. */
typedef struct node_times {
    graph_shape shape; /* of all graphs of the workload */
    size_t first;      /* the first operation of the launch */
    int64_t *done;     /* by place in the launch: when the node was done */
    size_t *last;      /* by place in the launch: the operation that was complete then; NULL: it is no launch */
} node_times;

/* Those of the launch of operation i; nothing where it is no node. False without memory; free in any case. */
bool node_times_init(node_times *t, const gcast_run *run, size_t i);
void node_times_free(node_times *t);
/* Do blocks of operation i that wait wait for number k of what it is after? */
bool node_times_waits(const node_times *t, const gcast_run *run, size_t i, size_t k);

#endif
