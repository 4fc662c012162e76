/* Launches of CUDA graphs (docs/model.md, Graphs). Only workloads that have them have this state. */
#ifndef SIMULATE_GRAPH_STATE_H
#define SIMULATE_GRAPH_STATE_H

#include "simulate/rules/graph_shape.h"
#include "simulate/state/state.h"

/* What is known of an operation as a node. */
typedef struct sim_node {
    uint32_t first;      /* the first node of its launch; NONE: it is no node */
    uint32_t incomplete; /* of the first node: nodes of its launch that are not complete */
    uint32_t unseen;     /* edges that lead to it of which it is not known when they are seen */
    uint32_t undone;     /* nodes that are not done, of those that it is after by another port than full */
    int64_t seen_ns;     /* when the last of the other edges is seen */
    bool is_complete;    /* all its blocks, or the copy, have ended */
    bool is_seen;        /* all its edges have been seen */
} sim_node;

typedef struct sim_graphs {
    graph_shape shape;    /* of all graphs, by op of the workload */
    sim_node *nodes;      /* by operation */
    heap seen;            /* nodes by the time at which their last edge is seen, where that is known */
    heap entering;        /* nodes whose last edge is seen now, by launch */
    VEC(uint32_t) done;   /* nodes that are done now */
    VEC(uint32_t) opened; /* nodes whose blocks wait for one that is done now; for each of these once */
} sim_graphs;

/* The node of the shape that an operation executes. */
static inline const graph_node *graph_node_of(const sim *s, uint32_t o)
{
    return &s->graph->shape.nodes[s->state[o].op];
}

/* The operation that stands for o in its stream's queue: the first node of its launch, or o itself. */
static inline uint32_t graph_first(const sim *s, uint32_t o)
{
    return s->graph && s->graph->nodes[o].first != NONE ? s->graph->nodes[o].first : o;
}

/* Is o a node of a graph? */
static inline bool graph_has(const sim *s, uint32_t o)
{
    return s->graph && s->graph->nodes[o].first != NONE;
}

/* Is o a node of a graph, and after others of its launch? */
static inline bool graph_has_edges(const sim *s, uint32_t o)
{
    return graph_has(s, o) && graph_node_of(s, o)->after;
}

#endif
