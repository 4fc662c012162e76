/* Colours of a graph: in every round the vertices that come before all their neighbours without a colour take one
 * (Jones and Plassmann). */
#include <stdlib.h>
#include <string.h>

#include "apps/data/reference.h"

/* Does this vertex come before all its neighbours that have no colour? */
static bool is_first(const app_graph *g, uint32_t vertex, const uint32_t *colour)
{
    for (uint64_t e = g->first[vertex]; e < g->first[vertex + 1]; e++)
        if (colour[g->target[e]] == APP_UNCOLOURED && app_vertex_before(g->target[e], vertex))
            return false;
    return true;
}

/* The smallest colour that no neighbour has. taken[c] == vertex + 1: a neighbour of this vertex has the colour c. */
static uint32_t smallest_colour(const app_graph *g, uint32_t vertex, const uint32_t *colour, uint64_t *taken)
{
    uint32_t smallest = 0;
    for (uint64_t e = g->first[vertex]; e < g->first[vertex + 1]; e++)
        if (colour[g->target[e]] != APP_UNCOLOURED)
            taken[colour[g->target[e]]] = (uint64_t)vertex + 1;
    while (taken[smallest] == (uint64_t)vertex + 1)
        smallest++;
    return smallest;
}

static bool note_round(const app_graph *g, const uint32_t *vertex, uint32_t count, app_rounds *rounds)
{
    if (!rounds)
        return true;
    app_round *round = app_rounds_add(rounds, count);
    for (uint32_t i = 0; round && i < count; i++)
        round->items[i] = app_graph_degree(g, vertex[i]);
    return round != NULL;
}

/* One round: colours the vertices that are first, and keeps the others. Two neighbours are never first in one round, so
 * that no vertex that is first sees a colour of its own round; `wins` is found before any colour is given. */
static uint32_t colour_round(const app_graph *g, uint32_t *vertex, uint32_t count, uint32_t *colour, uint8_t *wins,
                             uint64_t *taken)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        wins[i] = is_first(g, vertex[i], colour);
    for (uint32_t i = 0; i < count; i++) {
        if (wins[i])
            colour[vertex[i]] = smallest_colour(g, vertex[i], colour, taken);
        else
            vertex[kept++] = vertex[i];
    }
    return kept;
}

bool app_colour(const app_graph *g, uint32_t *colour, app_rounds *rounds)
{
    uint32_t *vertex = (uint32_t *)malloc((size_t)g->vertices * sizeof *vertex);
    uint8_t *wins = (uint8_t *)malloc(g->vertices);
    uint64_t *taken = (uint64_t *)calloc((size_t)g->vertices + 1, sizeof *taken);
    bool done = vertex && wins && taken;
    uint32_t count = done ? g->vertices : 0;
    for (uint32_t v = 0; v < count; v++) {
        vertex[v] = v;
        colour[v] = APP_UNCOLOURED;
    }
    while (done && count) {
        done = note_round(g, vertex, count, rounds);
        count = colour_round(g, vertex, count, colour, wins, taken);
    }
    free(vertex);
    free(wins);
    free(taken);
    return done;
}
