/* Breadth-first search and shortest paths, round by round. */
#include <stdlib.h>
#include <string.h>

#include "apps/data/reference.h"

/* The vertices that a round begins with, ascending. */
typedef struct frontier {
    uint32_t count;
    uint32_t *vertex;
    uint8_t *joins_next; /* by vertex: it belongs to the next round */
} frontier;

static bool frontier_make(frontier *f, const app_graph *g, uint32_t source)
{
    f->vertex = (uint32_t *)malloc((size_t)g->vertices * sizeof *f->vertex);
    f->joins_next = (uint8_t *)calloc(g->vertices, 1);
    if (!f->vertex || !f->joins_next)
        return false;
    f->vertex[0] = source;
    f->count = 1;
    return true;
}

static void frontier_free(frontier *f)
{
    free(f->vertex);
    free(f->joins_next);
}

static void frontier_advance(frontier *f, const app_graph *g)
{
    f->count = 0;
    for (uint32_t v = 0; v < g->vertices; v++)
        if (f->joins_next[v])
            f->vertex[f->count++] = v;
    memset(f->joins_next, 0, g->vertices);
}

/* A thread per vertex with its degree as items; false: no memory. */
static bool note_round(const app_graph *g, const uint32_t *vertex, uint32_t count, app_rounds *rounds)
{
    if (!rounds)
        return true;
    app_round *round = app_rounds_add(rounds, count);
    for (uint32_t i = 0; round && i < count; i++)
        round->items[i] = app_graph_degree(g, vertex[i]);
    return round != NULL;
}

static void start_at(const app_graph *g, uint32_t source, uint32_t *distance)
{
    for (uint32_t v = 0; v < g->vertices; v++)
        distance[v] = APP_UNREACHED;
    distance[source] = 0;
}

bool app_bfs(const app_graph *g, uint32_t source, uint32_t *distance, app_rounds *rounds)
{
    frontier now;
    bool done = frontier_make(&now, g, source);
    start_at(g, source, distance);
    for (uint32_t level = 1; done && now.count; level++) {
        done = note_round(g, now.vertex, now.count, rounds);
        for (uint32_t i = 0; i < now.count; i++)
            for (uint64_t e = g->first[now.vertex[i]]; e < g->first[now.vertex[i] + 1]; e++) {
                uint32_t to = g->target[e];
                if (distance[to] == APP_UNREACHED) {
                    distance[to] = level;
                    now.joins_next[to] = 1;
                }
            }
        frontier_advance(&now, g);
    }
    frontier_free(&now);
    return done;
}

bool app_sssp(const app_graph *g, uint32_t source, uint32_t *distance, app_rounds *rounds)
{
    frontier now;
    bool done = frontier_make(&now, g, source);
    size_t bytes = (size_t)g->vertices * sizeof *distance;
    uint32_t *snapshot = (uint32_t *)malloc(bytes); /* distances when the round began */
    done = done && snapshot;
    start_at(g, source, distance);
    while (done && now.count) {
        done = note_round(g, now.vertex, now.count, rounds);
        memcpy(snapshot, distance, bytes);
        for (uint32_t i = 0; i < now.count; i++) {
            uint32_t from = now.vertex[i];
            for (uint64_t e = g->first[from]; e < g->first[from + 1]; e++) {
                uint32_t to = g->target[e], through = snapshot[from] + app_edge_weight(from, to);
                if (through < distance[to]) {
                    distance[to] = through;
                    now.joins_next[to] = 1;
                }
            }
        }
        frontier_advance(&now, g);
    }
    free(snapshot);
    frontier_free(&now);
    return done;
}
