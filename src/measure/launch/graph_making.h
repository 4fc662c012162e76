/* Makes a graph of CUDA node by node, ready to be launched. */
#ifndef MEASURE_LAUNCH_GRAPH_MAKING_H
#define MEASURE_LAUNCH_GRAPH_MAKING_H

#include "gridcast/workload.h"
#include "measure/launch/kernel_call.h"

typedef struct graph_making {
    const driver *d;
    CUcontext context; /* of copies and memsets */
    CUgraph graph;
    CUgraphNode *nodes; /* in the order in which they were added */
    size_t count;       /* of these */
    CUgraphNode *ends;  /* by node: what those are after that are after it */
} graph_making;

/* A copy or memset: `host` is of a copy between host and device. */
typedef struct graph_copy {
    const gcast_op *op;
    CUdeviceptr from, to;
    const void *host_from;
    void *host_to;
} graph_copy;

/* For so many nodes at most. */
gcast_status graph_making_open(graph_making *g, const driver *d, CUcontext context, size_t nodes, gcast_error *err);
gcast_status graph_making_kernel(graph_making *g, const kernel_call *k, gcast_error *err);
gcast_status graph_making_copy(graph_making *g, const graph_copy *c, gcast_error *err);
/* Node `to` is after node `from`; both are counted from 0. */
gcast_status graph_making_edge(graph_making *g, size_t from, size_t to, gcast_port port, gcast_error *err);
/* Records an event behind a node, between it and those whose edges are added later. */
gcast_status graph_making_event(graph_making *g, size_t node, CUevent event, gcast_error *err);
/* Instantiates the graph and uploads it by `stream`, so that its first launch is like any other. */
gcast_status graph_making_finish(graph_making *g, CUstream stream, CUgraphExec *exec, gcast_error *err);
/* Frees what is left; after a finish, too. */
void graph_making_close(graph_making *g);

#endif
