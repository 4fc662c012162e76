/* Generators of graphs: pairs of vertices are drawn, then sorted into compressed rows. */
#include "papers/apps/data/graph.h"

#include <stdlib.h>
#include <string.h>

/* Undirected pairs in the order in which they are drawn. */
typedef struct pair_list {
    uint64_t count;
    uint32_t *a; /* one end of a pair */
    uint32_t *b; /* the other end */
} pair_list;

static bool pair_list_make(pair_list *pairs, uint64_t capacity)
{
    pairs->count = 0;
    pairs->a = (uint32_t *)malloc((size_t)(capacity ? capacity : 1) * sizeof(uint32_t));
    pairs->b = (uint32_t *)malloc((size_t)(capacity ? capacity : 1) * sizeof(uint32_t));
    return pairs->a && pairs->b;
}

static void pair_list_free(pair_list *pairs)
{
    free(pairs->a);
    free(pairs->b);
}

/* A random order of 0..count-1. NULL: no memory. */
static uint32_t *permutation(uint32_t count, uint64_t seed)
{
    uint32_t *place = (uint32_t *)malloc((size_t)count * sizeof(uint32_t));
    app_random random = app_random_of(seed, 2);
    for (uint32_t i = 0; place && i < count; i++) {
        uint32_t other = app_random_below(&random, i + 1);
        if (other != i)
            place[i] = place[other];
        place[other] = i;
    }
    return place;
}

/* Replaces each count by the sum of the counts before it. */
static void counts_to_starts(uint64_t *first, uint32_t vertices)
{
    uint64_t sum = 0;
    for (uint32_t v = 0; v <= vertices; v++) {
        uint64_t count = first[v];
        first[v] = sum;
        sum += count;
    }
}

/* Drops repeated neighbours; the lists are sorted. */
static void drop_repeated(app_graph *g)
{
    uint64_t begin = 0, kept = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        uint64_t end = g->first[v + 1], own = kept;
        for (uint64_t e = begin; e < end; e++)
            if (kept == own || g->target[kept - 1] != g->target[e])
                g->target[kept++] = g->target[e];
        begin = end;
        g->first[v + 1] = kept;
    }
    g->edges = kept;
}

/* Writes both directions of every pair that is not a self-loop, by source, in the order of pairs. */
static void scatter_pairs(const pair_list *pairs, const uint64_t *first, uint64_t *next, uint32_t vertices,
                          uint32_t *to)
{
    memcpy(next, first, (size_t)vertices * sizeof *next);
    for (uint64_t i = 0; i < pairs->count; i++) {
        if (pairs->a[i] == pairs->b[i])
            continue;
        to[next[pairs->a[i]]++] = pairs->b[i];
        to[next[pairs->b[i]]++] = pairs->a[i];
    }
}

/* Reverses every edge: as each has its opposite, the graph stays the same, and neighbours ascend. */
static void sort_neighbours(app_graph *g, const uint32_t *unsorted, uint64_t *next)
{
    memcpy(next, g->first, (size_t)g->vertices * sizeof *next);
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->first[v]; e < g->first[v + 1]; e++)
            g->target[next[unsorted[e]]++] = v;
}

/* Builds the graph of the pairs. */
static bool build(app_graph *g, uint32_t vertices, const pair_list *pairs)
{
    g->vertices = vertices;
    g->first = (uint64_t *)calloc((size_t)vertices + 1, sizeof(uint64_t));
    if (!g->first)
        return false;
    for (uint64_t i = 0; i < pairs->count; i++)
        if (pairs->a[i] != pairs->b[i]) {
            g->first[pairs->a[i]]++;
            g->first[pairs->b[i]]++;
        }
    counts_to_starts(g->first, vertices);
    g->edges = g->first[vertices];
    size_t entries = (size_t)(g->edges ? g->edges : 1);
    uint32_t *unsorted = (uint32_t *)calloc(entries, sizeof(uint32_t));
    uint64_t *next = (uint64_t *)malloc((size_t)vertices * sizeof(uint64_t));
    g->target = (uint32_t *)calloc(entries, sizeof(uint32_t));
    bool done = unsorted && next && g->target;
    if (done) {
        scatter_pairs(pairs, g->first, next, vertices, unsorted);
        sort_neighbours(g, unsorted, next);
        drop_repeated(g);
    }
    free(unsorted);
    free(next);
    return done;
}

/* Renames the vertices of the pairs at random and builds the graph; frees the pairs. `is_drawn`: there was memory for
 * the pairs. */
static bool finish(app_graph *g, uint32_t vertices, pair_list *pairs, uint64_t seed, bool is_drawn)
{
    uint32_t *name = is_drawn ? permutation(vertices, seed) : NULL;
    for (uint64_t i = 0; name && i < pairs->count; i++) {
        pairs->a[i] = name[pairs->a[i]];
        pairs->b[i] = name[pairs->b[i]];
    }
    bool done = name && build(g, vertices, pairs);
    free(name);
    pair_list_free(pairs);
    if (!done)
        app_graph_free(g);
    return done;
}

bool app_graph_rmat(app_graph *g, uint32_t scale, uint32_t edge_factor, uint64_t seed)
{
    /* Limits of a, a + b, a + b + c among 2^32 numbers: .57, .76, .95. */
    const uint32_t limit_a = 2448131358u, limit_b = 3264175145u, limit_c = 4080218931u;
    uint32_t vertices = UINT32_C(1) << scale;
    uint64_t count = (uint64_t)edge_factor << scale;
    app_random random = app_random_of(seed, 1);
    pair_list pairs;
    memset(g, 0, sizeof *g);
    bool drawn = pair_list_make(&pairs, count);
    for (; drawn && pairs.count < count; pairs.count++) {
        uint32_t a = 0, b = 0;
        for (uint32_t level = 0; level < scale; level++) {
            uint32_t u = (uint32_t)(app_random_next(&random) >> 32);
            a = a << 1 | (u >= limit_b);
            b = b << 1 | ((u >= limit_a && u < limit_b) || u >= limit_c);
        }
        pairs.a[pairs.count] = a;
        pairs.b[pairs.count] = b;
    }
    return finish(g, vertices, &pairs, seed, drawn);
}

bool app_graph_citation(app_graph *g, uint32_t vertices, uint32_t mean_degree, uint64_t seed)
{
    app_random random = app_random_of(seed, 1);
    pair_list pairs;
    memset(g, 0, sizeof *g);
    bool drawn = pair_list_make(&pairs, (uint64_t)vertices * (mean_degree - 1));
    for (uint32_t v = 1; drawn && v < vertices; v++) {
        uint64_t before = pairs.count;
        uint32_t citations = 1 + app_random_below(&random, mean_degree - 1);
        for (uint32_t i = 0; i < citations && i < v; i++) {
            /* An end of an earlier pair: a vertex is taken in proportion to its degree. */
            uint64_t end = before ? app_random_next(&random) % (2 * before) : 0;
            uint32_t cited = before == 0 ? 0 : end & 1 ? pairs.b[end / 2] : pairs.a[end / 2];
            pairs.a[pairs.count] = v;
            pairs.b[pairs.count++] = cited;
        }
    }
    return finish(g, vertices, &pairs, seed, drawn);
}

void app_graph_free(app_graph *g)
{
    free(g->first);
    free(g->target);
    memset(g, 0, sizeof *g);
}

uint32_t app_graph_source(const app_graph *g)
{
    uint32_t source = 0;
    for (uint32_t v = 1; v < g->vertices; v++)
        if (app_graph_degree(g, v) > app_graph_degree(g, source))
            source = v;
    return source;
}
