/* Launches of CUDA graphs: which are of the same graph, what their nodes are after, and how long these took. */
#ifndef PROFILE_MAKE_GRAPHS_GRAPH_LAUNCHES_H
#define PROFILE_MAKE_GRAPHS_GRAPH_LAUNCHES_H

#include "profile/make/state.h"

#define READY_NS 2000  /* an operation that is ready for longer than this waits for something */
#define EVENT_NS 10000 /* an event is seen within this time */

/* Launches of one graph. */
typedef struct graph_group {
    uint32_t nodes;       /* of each */
    VEC(uint32_t) firsts; /* index in ops[] of the first operation of each launch */
} graph_group;

typedef struct graph_launches {
    making *m;
    VEC(graph_group) groups;
    uint32_t
        *node_op; /* node number k of a launch is operation node_op[first + k]: the same number in all of a group */
    uint64_t inferred;       /* launches whose edges are not told */
    uint64_t contradicted;   /* edges that times contradict */
    uint64_t early;          /* edges that are taken as programmatic by times */
    uint64_t held;           /* copies and memsets that hold others up longer than the GPU's gap */
    uint64_t held_long;      /* of these: for longer than EVENT_NS */
    uint64_t late;           /* kernels whose successor came late: why is not told */
    const char *late_name;   /* of such a kernel */
    uint64_t streams_chosen; /* launches whose stream is not told, with nodes in several */
    uint64_t unnumbered;     /* launches whose nodes are in the order of their starts, as they have no numbers */
} graph_launches;

/* Operation of node k of a launch. */
static inline const prof_op *node_at(const graph_launches *g, uint32_t first, uint32_t k)
{
    return trace_op(g->m, g->node_op[first + k]);
}

/* The edges of a launch as recorded, into afters[]. *told is false, and nothing is added, where the recording does not
 * tell all of them. False without memory. */
bool graph_edges_told(graph_launches *g, const made_item *launch, bool *told);
/* The edges of all launches of a group from streams and times, into afters[]; those of a launch in a row. */
bool graph_edges_inferred(graph_launches *g, const graph_group *group);
/* Sets the stream of all launches. False without memory. */
bool graph_streams(graph_launches *g);
/* Puts the nodes of a launch, whose edges are afters[] from first_after on, in the order in which the driver queues
 * them. False without memory. */
bool graph_order(graph_launches *g, uint32_t first_op, uint32_t nodes, size_t first_after, size_t after_count);
/* Sets span_ns of the nodes of a launch, whose edges are afters[] from first_after on, `count` of them. */
bool graph_spans(graph_launches *g, uint32_t first_op, uint32_t nodes, size_t first_after, size_t count);

#endif
