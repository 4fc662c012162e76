/* What the checker knows of launches of graphs: found again from docs/model.md, without the engine's tables. */
#ifndef SIMULATE_CHECK_GRAPHS_GRAPH_FACTS_H
#define SIMULATE_CHECK_GRAPHS_GRAPH_FACTS_H

#include "gridcast/run.h"
#include "model/workload/attributes/graph_ports.h"

/* By op of the workload. */
typedef struct node_facts {
    uint32_t place;     /* in its launch */
    uint32_t count;     /* nodes of its launch, counted up to it */
    uint32_t part;      /* of its launch */
    uint32_t root;      /* of a root: roots before it */
    uint32_t edges;     /* nodes of its launch that it is after */
    uint32_t full;      /* near nodes that are fully after it */
    uint32_t passed[3]; /* the same by port, as far as they have been counted */
    size_t first_delay; /* of its edges, in graph_facts.delays */
    bool is_far;        /* its edges count as full */
    bool joins;         /* it may be in a connection */
} node_facts;

typedef struct graph_facts {
    node_facts *nodes; /* NULL: there are no graphs */
    int64_t *delays;   /* by op and number of what it is after: from what an edge waits for until it is seen */
    int64_t *done;     /* by operation: when it is done, as a node */
    int64_t *ends;     /* by operation, of a first node: the last end of its launch */
    graph_ports ports; /* as which edges count that do not lead to far nodes */
} graph_facts;

/* An edge of a graph in a run. */
typedef struct graph_facts_of_edge {
    size_t from;      /* the operation that it comes from */
    gcast_port port;  /* as which it counts */
    int64_t done_ns;  /* when that operation is done; CHECK_NEVER */
    int64_t delay_ns; /* from what it waits for until it is seen */
} graph_facts_of_edge;

/* Fails without memory, and where nodes of a launch are missing in the run. To be freed in any case. */
gcast_status graph_facts_init(graph_facts *f, const gcast_run *run, gcast_error *err);
void graph_facts_free(graph_facts *f);

/* The first node of the launch of operation i; i, if it is no node. How many operations from there on are one launch.
 */
size_t graph_facts_first(const graph_facts *f, const gcast_run *run, size_t i);
size_t graph_facts_count(const graph_facts *f, const gcast_run *run, size_t i);
/* Is it after others of its launch? */
bool graph_facts_has_edges(const graph_facts *f, const gcast_run *run, size_t i);
/* May it be in a connection? It has edges. */
bool graph_facts_joins(const graph_facts *f, const gcast_run *run, size_t i);
/* The last end of its launch, or its own; CHECK_NEVER. */
int64_t graph_facts_end(const graph_facts *f, const gcast_run *run, size_t i);
/* From the call of a root to its arrival. */
int64_t graph_facts_latency(const graph_facts *f, const gcast_run *run, size_t i);
/* When all nodes are done that blocks of operation i wait for; 0: there are none; CHECK_NEVER. */
int64_t graph_facts_before(const graph_facts *f, const gcast_run *run, size_t i);
/* Number k of what operation i is after; false: that is no edge. */
bool graph_facts_edge(const graph_facts *f, const gcast_run *run, size_t i, size_t k, graph_facts_of_edge *out);

#endif
