/* Launches of CUDA graphs (docs/model.md, Graphs). Only workloads that have them have this state. */
#ifndef SIMULATE_ENGINE_GRAPH_NODES_H
#define SIMULATE_ENGINE_GRAPH_NODES_H

#include "simulate/engine/state.h"
#include "simulate/graph_shape.h"

/* An operation as a node of a graph. */
typedef struct sim_node {
    uint32_t first;      /* the first node of its launch; NONE: it is no node */
    uint32_t incomplete; /* of the first node: nodes of its launch that are not complete */
    uint32_t unseen;     /* edges to it for which the time is unknown at which they are seen */
    uint32_t undone;     /* nodes that are not done, and from which an edge of another port than full leads to it */
    int64_t seen_ns;     /* the latest time at which an edge is seen, of those that are known */
    bool is_complete;    /* all its blocks, or the copy, have ended */
    bool is_seen;        /* all its edges have been seen */
} sim_node;

typedef struct sim_graphs {
    graph_shape shape;    /* of all graphs, by op of the workload */
    sim_node *nodes;      /* by operation */
    heap seen;            /* nodes by the known time at which their last edge is seen */
    heap entering;        /* nodes whose last edge is seen now, by launch */
    VEC(uint32_t) done;   /* nodes that are done now */
    VEC(uint32_t) opened; /* nodes whose blocks wait for a node that is done now; once for each such node */
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

/* Is o a node of a graph with dependencies in its launch? */
static inline bool graph_has_edges(const sim *s, uint32_t o)
{
    return graph_has(s, o) && graph_node_of(s, o)->after;
}

/* Sets sim.graph where the workload has graphs; false without memory. */
bool graph_init(sim *s);
void graph_free(sim *s);
/* The node o is fully dispatched, and its end is known where its blocks do not start one by one. */
void graph_dispatched(sim *s, uint32_t o);
/* All blocks of the node o, which start one by one, have triggered or ended by this time. */
void graph_triggered(sim *s, uint32_t o, int64_t time);
/* Does some edge wait for the trigger of the node o? */
bool graph_needs_trigger(const sim *s, uint32_t o);
/* o is complete. Returns whether its launch is complete; true where o is no node. */
bool graph_complete(sim *s, uint32_t o);
/* When the next node has seen all its edges, as far as known; INT64_MAX: none. */
int64_t graph_next_time(const sim *s);
/* The next node that sees its last edge now; NONE: none is left. */
uint32_t graph_next_seen(sim *s);

#endif
