/* The shape of the graphs of a workload: how the driver treats the nodes and edges of a launch, whatever the times
 * (docs/model.md, Graphs). Nodes are ops of the workload. */
#ifndef SIMULATE_GRAPH_SHAPE_H
#define SIMULATE_GRAPH_SHAPE_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"

/* The longest delay of an edge; the engine fails at such times. */
#define GRAPH_MAX_NS (INT64_MAX / 2)

/* An op as a node; of other ops all is 0. */
typedef struct graph_node {
    uint32_t place;      /* its index in its launch */
    uint32_t count;      /* of the first node: nodes of the launch */
    uint32_t part;       /* its part of the launch; a part is a node that is not inner and the inner nodes behind it */
    uint32_t root;       /* of a root: its index among the roots */
    uint32_t first_edge; /* index in graph_shape.edges of the first edge from it */
    uint32_t edge_count; /* edges from it */
    uint32_t full_count; /* how many of these count as full and lead to nodes that are not far */
    uint32_t after;      /* edges to it; 0: it is a root */
    bool is_node;        /* the op is a node */
    bool is_far;         /* all edges to it count as full, and are seen after an event gap */
    bool is_root;        /* it has no dependency in its launch */
    bool is_inner;       /* it and its dependencies run on SMs, and it is no root */
    bool before_inner;   /* it has an inner successor */
    bool is_continued;   /* a successor continues its chain */
    bool in_first;       /* it is in the chain of the first node: it joins as an operation of its stream */
    bool joins;          /* it joins a connection */
    uint32_t joins_behind;  /* it joins the connection of the op so many before it; 0: it is the first of its chain */
    uint32_t copies_behind; /* of a copy or memset: the same for the channels of its copy engine */
    size_t last_join;       /* the last op of its chain, up to itself, that joins, from 1; 0: none */
    size_t last_copy[COPY_ENGINES]; /* the same for copies and memsets, by copy engine */
} graph_node;

/* An edge of a graph. */
typedef struct graph_edge {
    uint32_t to;      /* the successor */
    gcast_port port;  /* the port that it counts as */
    int64_t delay_ns; /* how long after its cause it is seen */
} graph_edge;

typedef struct graph_shape {
    graph_node *nodes; /* by op of the workload; NULL: there are no graphs */
    graph_edge *edges; /* by the node that they come from, then in the order of successors */
    graph_ports ports; /* the ports of edges to nodes that are not far */
} graph_shape;

/* False without memory; free in any case. */
bool graph_shape_init(graph_shape *shape, const gcast_workload *w, const gcast_gpu *gpu);
void graph_shape_free(graph_shape *shape);

/* The port that dependency k of an op counts as, where there are graphs. */
gcast_port graph_shape_port(const graph_shape *shape, size_t op, size_t k);
/* The time from the call of a launch until its root `op` is in its stream's queue. */
int64_t graph_latency_ns(const graph_shape *shape, const gcast_gpu *gpu, size_t op);

#endif
