/* Undirected graphs in compressed sparse rows, and their generators: R-MAT as in Graph500, and preferential attachment
 * as in networks of citations. There are no self-loops and no duplicate edges; both directions are stored, and the
 * neighbours of a vertex ascend. */
#ifndef PAPERS_APPS_DATA_GRAPH_H
#define PAPERS_APPS_DATA_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "papers/apps/data/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct app_graph {
    uint32_t vertices; /* numbered from 0 */
    uint64_t edges;    /* entries of target: an undirected edge counts twice */
    uint64_t *first;   /* by vertex, and one more: where its neighbours begin in target */
    uint32_t *target;  /* neighbours, vertex after vertex */
} app_graph;

/* 2^scale vertices and up to edge_factor * 2^scale undirected edges, drawn with a, b, c, d = .57 .19 .19 .05; the
 * numbers of vertices are permuted. 1 <= scale <= 24, edge_factor >= 1. False: no memory, and *g is empty. */
bool app_graph_rmat(app_graph *g, uint32_t scale, uint32_t edge_factor, uint64_t seed);
/* Each vertex, when it appears, cites 1..mean_degree-1 earlier ones, a vertex in proportion to its degree; the numbers
 * of vertices are permuted. vertices >= 2, mean_degree >= 2. False: no memory, and *g is empty. */
bool app_graph_citation(app_graph *g, uint32_t vertices, uint32_t mean_degree, uint64_t seed);
void app_graph_free(app_graph *g);

/* Where BFS and SSSP begin: the vertex of largest degree, the smallest number on ties. */
uint32_t app_graph_source(const app_graph *g);

static inline uint32_t app_graph_degree(const app_graph *g, uint32_t vertex)
{
    return (uint32_t)(g->first[vertex + 1] - g->first[vertex]);
}

#ifdef __cplusplus
}
#endif

/* The weight of an edge, 1..15, the same in both directions. */
APP_BOTH static inline uint32_t app_edge_weight(uint32_t from, uint32_t to)
{
    return 1 + app_hash(from < to ? from : to, from < to ? to : from) % 15;
}

/* The priority of a vertex when neighbours want a colour at the same time. */
APP_BOTH static inline uint32_t app_vertex_priority(uint32_t vertex)
{
    return app_hash(vertex, 0x47435043u);
}

/* Does vertex a come before its neighbour b? By priority, the smaller number on ties. */
APP_BOTH static inline bool app_vertex_before(uint32_t a, uint32_t b)
{
    uint32_t pa = app_vertex_priority(a), pb = app_vertex_priority(b);
    return pa > pb || (pa == pb && a < b);
}

#endif
