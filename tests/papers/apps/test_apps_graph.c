/* Generated graphs: both directions, no repeated edge, heavy tails, and the same bytes for the same seed. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/graph.h"

static uint64_t hash_graph(const app_graph *g)
{
    uint64_t hash = g->vertices;
    for (uint32_t v = 0; v <= g->vertices; v++)
        hash = app_mix(hash ^ g->first[v]);
    for (uint64_t e = 0; e < g->edges; e++)
        hash = app_mix(hash ^ g->target[e]);
    return hash;
}

static bool has_edge(const app_graph *g, uint32_t from, uint32_t to)
{
    for (uint64_t e = g->first[from]; e < g->first[from + 1]; e++)
        if (g->target[e] == to)
            return true;
    return false;
}

/* What graph.h says of every graph. */
static void assert_sound(const app_graph *g)
{
    assert_int_equal(g->first[0], 0);
    assert_int_equal(g->first[g->vertices], g->edges);
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            assert_in_range(g->target[e], 0, g->vertices - 1);
            assert_int_not_equal(g->target[e], v);
            assert_true(e == g->first[v] || g->target[e - 1] < g->target[e]);
            assert_true(has_edge(g, g->target[e], v));
        }
}

static uint32_t largest_degree(const app_graph *g)
{
    return app_graph_degree(g, app_graph_source(g));
}

/* Edges of the given share of vertices, those with most of them. */
static double share_of_edges(const app_graph *g, double vertices)
{
    uint32_t *of_degree = calloc(g->vertices, sizeof *of_degree);
    uint64_t left = (uint64_t)(vertices * g->vertices), sum = 0;
    for (uint32_t v = 0; v < g->vertices; v++)
        of_degree[app_graph_degree(g, v)]++;
    for (uint32_t degree = g->vertices; degree-- > 0 && left;) {
        uint64_t taken = of_degree[degree] < left ? of_degree[degree] : left;
        sum += taken * degree;
        left -= taken;
    }
    free(of_degree);
    return (double)sum / (double)g->edges;
}

static void sound(void **state)
{
    (void)state;
    app_graph g;
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (uint32_t scale = 1; scale <= 9; scale += 2) {
            assert_true(app_graph_rmat(&g, scale, 4, seed));
            assert_int_equal(g.vertices, 1u << scale);
            assert_true(g.edges <= 8ull << scale);
            assert_sound(&g);
            app_graph_free(&g);
            assert_true(app_graph_citation(&g, (1u << scale) + 1, 2 + scale, seed));
            assert_int_equal(g.vertices, (1u << scale) + 1);
            assert_sound(&g);
            app_graph_free(&g);
        }
}

/* Vertex 0 alone has no edge to begin with; every later one cites. */
static void citations_connect(void **state)
{
    (void)state;
    app_graph g;
    assert_true(app_graph_citation(&g, 3000, 8, 7));
    for (uint32_t v = 0; v < g.vertices; v++)
        assert_true(app_graph_degree(&g, v) > 0);
    app_graph_free(&g);
}

static void heavy_tails(void **state)
{
    (void)state;
    app_graph g;
    assert_true(app_graph_rmat(&g, 16, 16, 1));
    double mean = (double)g.edges / g.vertices;
    assert_true(mean > 20 && mean < 32);
    assert_true(largest_degree(&g) > 200 * mean);
    assert_true(share_of_edges(&g, 0.01) > 0.25);
    app_graph_free(&g);

    assert_true(app_graph_citation(&g, 65536, 12, 1));
    mean = (double)g.edges / g.vertices;
    assert_true(mean > 11.5 && mean < 12.1);
    assert_true(largest_degree(&g) > 50 * mean);
    assert_true(share_of_edges(&g, 0.01) > 0.10);
    app_graph_free(&g);
}

/* Large degrees are not where small numbers are. */
static void permuted(void **state)
{
    (void)state;
    app_graph g;
    for (int citation = 0; citation < 2; citation++) {
        assert_true(citation ? app_graph_citation(&g, 4096, 12, 3) : app_graph_rmat(&g, 12, 12, 3));
        double first_half = (double)g.first[2048] / (double)g.edges;
        assert_true(first_half > 0.4 && first_half < 0.6);
        app_graph_free(&g);
    }
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    app_graph g;
    assert_true(app_graph_rmat(&g, 10, 8, 1));
    assert_int_equal(hash_graph(&g), UINT64_C(0x757ae27cc5c7678b));
    app_graph_free(&g);
    assert_true(app_graph_rmat(&g, 10, 8, 2));
    assert_int_equal(hash_graph(&g), UINT64_C(0x95c82dfc821f6223));
    app_graph_free(&g);
    assert_true(app_graph_citation(&g, 1000, 10, 1));
    assert_int_equal(hash_graph(&g), UINT64_C(0x33d2e75b437d2f22));
    app_graph_free(&g);
    assert_true(app_graph_citation(&g, 1000, 10, 2));
    assert_int_equal(hash_graph(&g), UINT64_C(0xd9db561025009f5a));
    app_graph_free(&g);
}

static void weights_and_priorities(void **state)
{
    (void)state;
    uint32_t seen = 0;
    for (uint32_t a = 0; a < 50; a++)
        for (uint32_t b = 0; b < 50; b++) {
            assert_in_range(app_edge_weight(a, b), 1, 15);
            assert_int_equal(app_edge_weight(a, b), app_edge_weight(b, a));
            assert_int_equal(app_vertex_before(a, b), a != b && !app_vertex_before(b, a));
            seen |= 1u << app_edge_weight(a, b);
        }
    assert_int_equal(seen, 0xfffe);
    assert_int_equal(app_vertex_priority(41212), app_vertex_priority(87065)); /* a tie: the smaller number is first */
    assert_true(app_vertex_before(41212, 87065));
    assert_false(app_vertex_before(87065, 41212));
}

static void source(void **state)
{
    (void)state;
    uint64_t first[] = {0, 1, 3, 5, 6};
    uint32_t target[] = {1, 0, 2, 1, 3, 2};
    app_graph g = {4, 6, first, target};
    assert_int_equal(app_graph_source(&g), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound),    cmocka_unit_test(citations_connect),    cmocka_unit_test(heavy_tails),
        cmocka_unit_test(permuted), cmocka_unit_test(same_seed_same_bytes), cmocka_unit_test(weights_and_priorities),
        cmocka_unit_test(source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
