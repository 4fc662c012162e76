/* Launches of graphs as the checker sees them: derived from docs/model.md again, without the engine's tables. */
#ifndef SIMULATE_CHECK_GRAPH_FACTS_H
#define SIMULATE_CHECK_GRAPH_FACTS_H

#include "gridcast/run.h"
#include "model/workload/attributes.h"

/* A node of a graph. */
typedef struct node_facts {
    uint32_t place;     /* its index in its launch */
    uint32_t count;     /* nodes of its launch */
    uint32_t part;      /* its part of the launch */
    uint32_t root;      /* of a root: its index among the roots */
    uint32_t edges;     /* edges to it */
    uint32_t full;      /* full edges from it to nodes that are not far */
    uint32_t passed[3]; /* by port: edges from it that have got their delays */
    size_t first_delay; /* index in graph_facts.delays of its first dependency */
    bool is_far;        /* its edges count as full */
    bool joins;         /* it may be in a connection */
} node_facts;

typedef struct graph_facts {
    node_facts *nodes; /* by op of the workload; NULL: there are no graphs */
    int64_t *delays;   /* by op and dependency: how long after its cause the edge is seen */
    int64_t *done;     /* by operation: when it is done as a node */
    int64_t *ends;     /* by operation, of a first node: the last end of its launch */
    graph_ports ports; /* the ports of edges to nodes that are not far */
} graph_facts;

/* An edge of a graph in a run. */
typedef struct graph_facts_of_edge {
    size_t from;      /* the operation that it comes from */
    gcast_port port;  /* the port that it counts as */
    int64_t done_ns;  /* when that operation is done; CHECK_NEVER */
    int64_t delay_ns; /* how long after its cause it is seen */
} graph_facts_of_edge;

/* Fails without memory, and where nodes of a launch are missing in the run. To be freed in any case. */
gcast_status graph_facts_init(graph_facts *f, const gcast_run *run, gcast_error *err);
void graph_facts_free(graph_facts *f);

/* The first node of the launch of operation i, or i if it is no node; and how many operations from there on are the
 * launch. */
size_t graph_facts_first(const graph_facts *f, const gcast_run *run, size_t i);
size_t graph_facts_count(const graph_facts *f, const gcast_run *run, size_t i);
/* Does operation i have dependencies in its launch? */
bool graph_facts_has_edges(const graph_facts *f, const gcast_run *run, size_t i);
/* May operation i, which has edges, be in a connection? */
bool graph_facts_joins(const graph_facts *f, const gcast_run *run, size_t i);
/* The last end of the launch of operation i, or its own end; CHECK_NEVER. */
int64_t graph_facts_end(const graph_facts *f, const gcast_run *run, size_t i);
/* The time from the call of a root to its arrival. */
int64_t graph_facts_latency(const graph_facts *f, const gcast_run *run, size_t i);
/* When all nodes that blocks of operation i wait for are done; 0: there are none; CHECK_NEVER. */
int64_t graph_facts_before(const graph_facts *f, const gcast_run *run, size_t i);
/* The edge of dependency k of operation i; false: it is no edge. */
bool graph_facts_edge(const graph_facts *f, const gcast_run *run, size_t i, size_t k, graph_facts_of_edge *out);

#endif
