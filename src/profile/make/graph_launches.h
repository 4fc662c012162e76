/* Launches of CUDA graphs: which of them launch the same graph, and the edges, order and durations of their nodes. */
#ifndef PROFILE_MAKE_GRAPH_LAUNCHES_H
#define PROFILE_MAKE_GRAPH_LAUNCHES_H

#include "profile/make/making.h"

/* Launches of one graph. */
typedef struct graph_group {
    uint32_t nodes;       /* nodes of each launch */
    VEC(uint32_t) firsts; /* index in ops[] of the first operation of each launch */
} graph_group;

typedef struct graph_launches {
    making *m;
    VEC(graph_group) groups;
    uint32_t *node_op;       /* node k of a launch is operation node_op[first + k]; k is the same in a whole group */
    uint64_t inferred;       /* launches whose edges are not in the profile */
    uint64_t contradicted;   /* edges that times contradict */
    uint64_t early;          /* edges that are taken as programmatic because of times */
    uint64_t held;           /* copies and memsets that hold up successors for longer than the GPU's gap */
    uint64_t held_long;      /* those of them that do so for longer than EVENT_NS */
    uint64_t late;           /* kernels whose successor started late for an unknown reason */
    const char *late_name;   /* the first such kernel */
    uint64_t streams_chosen; /* launches with an unknown stream and nodes in several streams */
    uint64_t unnumbered;     /* launches whose nodes have no numbers, so that they are in the order of their starts */
} graph_launches;

/* The operation of node k of a launch. */
static inline const prof_op *node_at(const graph_launches *g, uint32_t first, uint32_t k)
{
    return trace_op(g->m, g->node_op[first + k]);
}

/* Adds the recorded edges of a launch to afters[]. If the recording is not complete, *told is false, and nothing is
 * added. False without memory. */
bool graph_edges_told(graph_launches *g, const made_item *launch, bool *told);
/* Adds edges of all launches of a group to afters[], launch by launch, inferred from streams and times. False without
 * memory. */
bool graph_edges_inferred(graph_launches *g, const graph_group *group);

/* Puts the nodes of a launch into the order in which the driver queues them. Its edges are after_count entries of
 * afters[] from first_after on. False without memory. */
bool graph_order(graph_launches *g, uint32_t first_op, uint32_t nodes, size_t first_after, size_t after_count);

#endif
