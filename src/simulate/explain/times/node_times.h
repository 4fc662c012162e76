/* Launches of graphs in a run, and when each node of one was done. */
#ifndef SIMULATE_EXPLAIN_TIMES_NODE_TIMES_H
#define SIMULATE_EXPLAIN_TIMES_NODE_TIMES_H

#include "gridcast/run.h"
#include "simulate/rules/graph_shape.h"

/* By operation of the run. One that is no node is a launch of its own. */
typedef struct node_times {
    graph_shape shape;    /* of all graphs of the workload */
    size_t *launch_first; /* the first operation of its launch */
    size_t *launch_last;  /* the operation of its launch that was complete last */
    int64_t *done_ns;     /* when the node was done; NULL: there are no graphs */
    size_t *done_by;      /* the operation that was complete then */
} node_times;

/* False without memory; free in any case. */
bool node_times_init(node_times *t, const gcast_run *run);
void node_times_free(node_times *t);
/* Is operation i after others of its launch? */
bool node_times_has_edges(const node_times *t, const gcast_run *run, size_t i);
/* Do blocks of operation i that wait wait for number k of what it is after? */
bool node_times_waits(const node_times *t, const gcast_run *run, size_t i, size_t k);

#endif
