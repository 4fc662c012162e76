/* BFS, SSSP and colouring against obvious slow versions on small graphs. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/reference.h"

/* Distances by relaxing all edges until nothing changes (Bellman and Ford); every edge counts 1, or its weight. */
static void bellman_ford(const app_graph *g, uint32_t source, bool weighted, uint32_t *distance)
{
    for (uint32_t v = 0; v < g->vertices; v++)
        distance[v] = v == source ? 0 : UINT32_MAX;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < g->vertices; v++)
            for (uint64_t e = g->first[v]; distance[v] != UINT32_MAX && e < g->first[v + 1]; e++) {
                uint32_t to = g->target[e], length = weighted ? app_edge_weight(v, to) : 1;
                if (distance[v] + length < distance[to]) {
                    distance[to] = distance[v] + length;
                    changed = true;
                }
            }
    }
}

/* Distances by Dijkstra without a heap: the nearest open vertex is looked for among all. */
static void dijkstra(const app_graph *g, uint32_t source, uint32_t *distance)
{
    uint8_t *closed = calloc(g->vertices, 1);
    for (uint32_t v = 0; v < g->vertices; v++)
        distance[v] = v == source ? 0 : UINT32_MAX;
    for (;;) {
        uint32_t nearest = UINT32_MAX;
        for (uint32_t v = 0; v < g->vertices; v++)
            if (!closed[v] && distance[v] != UINT32_MAX && (nearest == UINT32_MAX || distance[v] < distance[nearest]))
                nearest = v;
        if (nearest == UINT32_MAX)
            break;
        closed[nearest] = 1;
        for (uint64_t e = g->first[nearest]; e < g->first[nearest + 1]; e++) {
            uint32_t through = distance[nearest] + app_edge_weight(nearest, g->target[e]);
            if (through < distance[g->target[e]])
                distance[g->target[e]] = through;
        }
    }
    free(closed);
}

/* Number `i` of some small graphs of either form. */
static void make_graph(app_graph *g, uint64_t i)
{
    if (i % 2)
        assert_true(app_graph_rmat(g, 3 + (uint32_t)(i % 6), 1 + (uint32_t)(i % 5), i));
    else
        assert_true(app_graph_citation(g, 2 + (uint32_t)(i * 13 % 400), 2 + (uint32_t)(i % 9), i));
}

static void bfs(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 40; i++) {
        app_graph g;
        make_graph(&g, i);
        uint32_t *found = malloc(g.vertices * sizeof *found), *expected = malloc(g.vertices * sizeof *expected);
        app_rounds rounds = {0};
        uint32_t source = app_graph_source(&g);
        assert_true(app_bfs(&g, source, found, &rounds));
        bellman_ford(&g, source, false, expected);
        assert_memory_equal(found, expected, g.vertices * sizeof *found);
        /* A round has the vertices of its level, ascending, with their degrees. */
        uint64_t reached_edges = 0;
        for (size_t r = 0; r < rounds.count; r++) {
            uint32_t thread = 0;
            for (uint32_t v = 0; v < g.vertices; v++)
                if (expected[v] == r) {
                    assert_true(thread < rounds.round[r].threads);
                    assert_int_equal(rounds.round[r].items[thread++], app_graph_degree(&g, v));
                    reached_edges += app_graph_degree(&g, v);
                }
            assert_int_equal(thread, rounds.round[r].threads);
            assert_true(thread > 0);
        }
        app_totals totals = app_rounds_total(&rounds, 0);
        assert_int_equal(totals.items, reached_edges);
        assert_int_equal(totals.largest, app_graph_degree(&g, source));
        assert_true(app_bfs(&g, source, found, NULL));
        assert_memory_equal(found, expected, g.vertices * sizeof *found);
        free(found);
        free(expected);
        app_rounds_free(&rounds);
        app_graph_free(&g);
    }
}

/* Rounds of SSSP by definition: shortest paths of at most r edges, from those of at most r - 1. */
static void assert_sssp_rounds(const app_graph *g, uint32_t source, const app_rounds *rounds)
{
    size_t bytes = g->vertices * sizeof(uint32_t);
    uint32_t *before = malloc(bytes), *now = malloc(bytes);
    memset(before, 0xff, bytes);
    memset(now, 0xff, bytes);
    now[source] = 0;
    for (size_t r = 0; r < rounds->count; r++) {
        uint32_t thread = 0;
        for (uint32_t v = 0; v < g->vertices; v++)
            if (now[v] != before[v]) {
                assert_true(thread < rounds->round[r].threads);
                assert_int_equal(rounds->round[r].items[thread++], app_graph_degree(g, v));
            }
        assert_int_equal(thread, rounds->round[r].threads);
        memcpy(before, now, bytes);
        for (uint32_t v = 0; v < g->vertices; v++)
            for (uint64_t e = g->first[v]; e < g->first[v + 1]; e++) {
                uint32_t from = g->target[e];
                if (before[from] != UINT32_MAX && before[from] + app_edge_weight(from, v) < now[v])
                    now[v] = before[from] + app_edge_weight(from, v);
            }
    }
    assert_memory_equal(before, now, bytes);
    free(before);
    free(now);
}

static void sssp(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 40; i++) {
        app_graph g;
        make_graph(&g, i);
        uint32_t *found = malloc(g.vertices * sizeof *found), *expected = malloc(g.vertices * sizeof *expected);
        app_rounds rounds = {0};
        uint32_t source = app_graph_source(&g);
        assert_true(app_sssp(&g, source, found, &rounds));
        dijkstra(&g, source, expected);
        assert_memory_equal(found, expected, g.vertices * sizeof *found);
        bellman_ford(&g, source, true, expected);
        assert_memory_equal(found, expected, g.vertices * sizeof *found);
        assert_sssp_rounds(&g, source, &rounds);
        free(found);
        free(expected);
        app_rounds_free(&rounds);
        app_graph_free(&g);
    }
}

/* Has a neighbour of this vertex, which got its colour before it did, this colour? */
static bool is_taken(const app_graph *g, const uint32_t *colour, uint32_t vertex, uint32_t wanted)
{
    for (uint64_t e = g->first[vertex]; e < g->first[vertex + 1]; e++)
        if (colour[g->target[e]] == wanted && app_vertex_before(g->target[e], vertex))
            return true;
    return false;
}

/* The round in which a vertex gets its colour: the longest path of neighbours that come each before the next. */
static uint32_t round_of(const app_graph *g, uint32_t vertex, uint32_t *known)
{
    if (known[vertex] == UINT32_MAX) {
        uint32_t round = 0;
        for (uint64_t e = g->first[vertex]; e < g->first[vertex + 1]; e++)
            if (app_vertex_before(g->target[e], vertex)) {
                uint32_t before = round_of(g, g->target[e], known);
                round = before + 1 > round ? before + 1 : round;
            }
        known[vertex] = round;
    }
    return known[vertex];
}

static void colouring(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 40; i++) {
        app_graph g;
        make_graph(&g, i);
        uint32_t *colour = malloc(g.vertices * sizeof *colour), *round = malloc(g.vertices * sizeof *round);
        app_rounds rounds = {0};
        assert_true(app_colour(&g, colour, &rounds));
        memset(round, 0xff, g.vertices * sizeof *round);
        for (uint32_t v = 0; v < g.vertices; v++) {
            for (uint64_t e = g.first[v]; e < g.first[v + 1]; e++)
                assert_int_not_equal(colour[v], colour[g.target[e]]);
            for (uint32_t smaller = 0; smaller < colour[v]; smaller++)
                assert_true(is_taken(&g, colour, v, smaller));
            assert_true(round_of(&g, v, round) < rounds.count);
        }
        for (size_t r = 0; r < rounds.count; r++) {
            uint32_t thread = 0;
            for (uint32_t v = 0; v < g.vertices; v++)
                if (round[v] >= r) {
                    assert_true(thread < rounds.round[r].threads);
                    assert_int_equal(rounds.round[r].items[thread++], app_graph_degree(&g, v));
                }
            assert_int_equal(thread, rounds.round[r].threads);
            assert_true(thread > 0);
        }
        free(colour);
        free(round);
        app_rounds_free(&rounds);
        app_graph_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bfs), cmocka_unit_test(sssp), cmocka_unit_test(colouring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
