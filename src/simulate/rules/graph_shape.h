/* The shape of the graphs of a workload: what of a launch follows from its nodes and edges alone (docs/model.md,
 * Graphs). Nodes are ops of the workload. */
#ifndef SIMULATE_RULES_GRAPH_SHAPE_H
#define SIMULATE_RULES_GRAPH_SHAPE_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"
#include "model/gpu/copy_engine.h"
#include "model/workload/attributes/graph_ports.h"

/* No delay of an edge is longer; the engine fails at such times. */
#define GRAPH_MAX_NS (INT64_MAX / 2)

/* An op as a node; of other ops all is 0. */
typedef struct graph_node {
    uint32_t place;         /* in its launch, from 0 */
    uint32_t count;         /* of the first node: nodes of the launch */
    uint32_t part;          /* of the launch: how many nodes that are not inner are before the one that begins it */
    uint32_t root;          /* of a root: how many roots are before it */
    uint32_t first_edge;    /* from it, in graph_shape.edges ... */
    uint32_t edge_count;    /* ... and how many */
    uint32_t full_count;    /* of these, edges that count as full and lead to nodes that are not far */
    uint32_t after;         /* edges that lead to it; 0: it is a root */
    bool is_node;           /* it is one */
    bool is_far;            /* all edges that lead to it count as full, and are seen after an event gap */
    bool is_root;           /* it is after none of its launch */
    bool is_inner;          /* it and all that it is after run on SMs, and it is no root */
    bool before_inner;      /* an inner node is after it */
    bool is_continued;      /* a node that is after it is of the same chain */
    bool in_first;          /* it is of the chain that the first node begins: it joins as an operation of its stream */
    bool joins;             /* it joins a connection */
    uint32_t joins_behind;  /* that which the op this many before it joined; 0: nothing of its chain joins before it */
    uint32_t copies_behind; /* of a copy or memset: the same for the channels of its copy engine */
    size_t last_join;       /* the last op of its chain up to it that joins, from 1; 0: none */
    size_t last_copy[COPY_ENGINES]; /* the same of copies and memsets, by copy engine */
} graph_node;

/* An edge of a graph. */
typedef struct graph_edge {
    uint32_t to;      /* the op that is after the other one */
    gcast_port port;  /* as which it counts */
    int64_t delay_ns; /* from what it waits for until it is seen */
} graph_edge;

typedef struct graph_shape {
    graph_node *nodes; /* by op of the workload; NULL: there are no graphs */
    graph_edge *edges; /* by the node that they come from, and then in the order of nodes that they lead to */
    graph_ports ports; /* as which edges count that do not lead to far nodes */
} graph_shape;

/* False without memory; free in any case. */
bool graph_shape_init(graph_shape *shape, const gcast_workload *w, const gcast_gpu *gpu);
void graph_shape_free(graph_shape *shape);

/* As which number k of what an op is after counts. There are graphs. */
gcast_port graph_shape_port(const graph_shape *shape, size_t op, size_t k);
/* From the call of a launch until this root of it is in its stream's queue. `op`: of the root. */
int64_t graph_latency_ns(const graph_shape *shape, const gcast_gpu *gpu, size_t op);

#endif
