#include "papers/apps/data/reference.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/mandelbrot.h"
#include "papers/apps/data/mesh.h"

static uint32_t *zeroed(uint64_t count)
{
    if (count > SIZE_MAX / sizeof(uint32_t))
        return NULL;
    return (uint32_t *)calloc(count ? (size_t)count : 1, sizeof(uint32_t));
}

app_round *app_rounds_add(app_rounds *rounds, uint32_t threads)
{
    if (rounds->count == rounds->capacity) {
        size_t capacity = rounds->capacity ? 2 * rounds->capacity : 16;
        app_round *larger = (app_round *)realloc(rounds->round, capacity * sizeof *larger);
        if (!larger)
            return NULL;
        rounds->round = larger;
        rounds->capacity = capacity;
    }
    app_round *round = &rounds->round[rounds->count];
    memset(round, 0, sizeof *round);
    round->threads = threads;
    round->items = zeroed(threads);
    if (!round->items)
        return NULL;
    rounds->count++;
    return round;
}

app_nested *app_round_nest(app_round *round, uint64_t launchers)
{
    if (round->nested_count == APP_MAX_NESTED)
        return NULL;
    app_nested *nested = &round->nested[round->nested_count];
    nested->launchers = launchers;
    nested->items = zeroed(launchers);
    if (!nested->items)
        return NULL;
    round->nested_count++;
    return nested;
}

void app_rounds_free(app_rounds *rounds)
{
    for (size_t i = 0; i < rounds->count; i++) {
        free(rounds->round[i].items);
        for (int k = 0; k < rounds->round[i].nested_count; k++)
            free(rounds->round[i].nested[k].items);
    }
    free(rounds->round);
    memset(rounds, 0, sizeof *rounds);
}

static void add_threads(app_totals *totals, const uint32_t *items, uint64_t threads, uint32_t min_items)
{
    totals->threads += threads;
    for (uint64_t i = 0; i < threads; i++) {
        totals->items += items[i];
        if (items[i] > totals->largest)
            totals->largest = items[i];
        if (items[i] > 0 && items[i] >= min_items) {
            totals->children++;
            totals->offered += items[i];
        }
    }
}

app_totals app_rounds_total(const app_rounds *rounds, uint32_t min_items)
{
    app_totals totals;
    memset(&totals, 0, sizeof totals);
    for (size_t i = 0; i < rounds->count; i++) {
        const app_round *round = &rounds->round[i];
        add_threads(&totals, round->items, round->threads, min_items);
        for (int k = 0; k < round->nested_count; k++)
            add_threads(&totals, round->nested[k].items, round->nested[k].launchers, min_items);
    }
    return totals;
}

/* Colouring: in every round the vertices that come before all their neighbours without a colour take one (Jones and
 * Plassmann). */

/* Does this vertex come before all its neighbours that have no colour? */
static bool is_first(const app_graph *g, uint32_t vertex, const uint32_t *colour)
{
    for (uint64_t e = g->first[vertex]; e < g->first[vertex + 1]; e++)
        if (colour[g->target[e]] == APP_UNCOLOURED && app_vertex_before(g->target[e], vertex))
            return false;
    return true;
}

/* The smallest colour that no neighbour has. taken[c] == vertex + 1: a neighbour of this vertex has colour c. */
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

/* Colours the vertices that are first in a round, and keeps the others. Two neighbours are never first in one round, so
 * no vertex that is first sees a colour of its own round; `wins` is found before any colour is given. */
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

/* Three applications have one round, in which each thread goes through a range: the matches of a tuple, the nonzeros of
 * a row, the places of a read. */

bool app_join_run(const app_join *j, uint32_t *matches, uint32_t *sum, app_rounds *rounds)
{
    app_round *round = rounds ? app_rounds_add(rounds, j->r_count) : NULL;
    if (rounds && !round)
        return false;
    for (uint32_t i = 0; i < j->r_count; i++) {
        uint32_t begin = j->s_first[j->r_key[i]], end = j->s_first[j->r_key[i] + 1];
        sum[i] = 0;
        for (uint32_t k = begin; k < end; k++)
            sum[i] += app_match_hash(j->r_value[i], j->s_value[k]);
        matches[i] = end - begin;
        if (round)
            round->items[i] = end - begin;
    }
    return true;
}

bool app_mm(const app_matrix *m, uint32_t *product, app_rounds *rounds)
{
    app_round *round = rounds ? app_rounds_add(rounds, m->rows) : NULL;
    if (rounds && !round)
        return false;
    for (uint32_t row = 0; row < m->rows; row++) {
        product[row] = 0;
        for (uint64_t k = m->first[row]; k < m->first[row + 1]; k++)
            product[row] += m->value[k] * m->vector[m->column[k]];
        if (round)
            round->items[row] = (uint32_t)(m->first[row + 1] - m->first[row]);
    }
    return true;
}

static uint64_t best_place(const app_reads *r, const uint8_t *read, const uint32_t *place, uint32_t places)
{
    uint64_t best = app_alignment(APP_READ_BASES + 1, APP_NO_PLACE);
    for (uint32_t k = 0; k < places; k++) {
        uint64_t alignment = app_alignment(app_mismatches(read, r->genome + place[k]), place[k]);
        if (alignment < best)
            best = alignment;
    }
    return best;
}

bool app_sa(const app_reads *r, uint64_t *best, app_rounds *rounds)
{
    app_round *round = rounds ? app_rounds_add(rounds, r->reads) : NULL;
    if (rounds && !round)
        return false;
    for (uint32_t i = 0; i < r->reads; i++) {
        const uint8_t *read = r->read + (uint64_t)i * APP_READ_BASES;
        uint32_t kmer = app_kmer_at(read), places = app_kmer_places(r->kmer_first, kmer);
        if (best)
            best[i] = best_place(r, read, r->place + r->kmer_first[kmer], places);
        if (round)
            round->items[i] = places;
    }
    return true;
}

/* Breadth-first search and shortest paths go on round by round from a frontier of vertices. */

/* The vertices of a round, ascending. */
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

/* A mesh is refined level by level. */

typedef struct mesh_cell {
    uint32_t x, y; /* at its level */
    uint32_t root; /* the cell of level 0 around it */
} mesh_cell;

/* The cells of one level, in the order of their threads. */
typedef struct cell_list {
    mesh_cell *cell;
    uint64_t count;
    uint64_t capacity;
} cell_list;

/* Makes room for `count` cells, at least one. False: no memory. */
static bool reserve(cell_list *list, uint64_t count)
{
    if (count > list->capacity) {
        uint64_t capacity = 2 * list->capacity > count ? 2 * list->capacity : count;
        mesh_cell *larger = (mesh_cell *)realloc(list->cell, (size_t)capacity * sizeof *larger);
        if (!larger)
            return false;
        list->cell = larger;
        list->capacity = capacity;
    }
    return list->cell != NULL;
}

static bool coarsest_cells(cell_list *list, uint32_t cells_per_side)
{
    if (!reserve(list, (uint64_t)cells_per_side * cells_per_side))
        return false;
    for (uint32_t y = 0; y < cells_per_side; y++)
        for (uint32_t x = 0; x < cells_per_side; x++) {
            mesh_cell *cell = &list->cell[list->count];
            cell->x = x;
            cell->y = y;
            cell->root = (uint32_t)list->count++;
        }
    return true;
}

/* Appends the sub-cells of a cell, row by row, and counts them at its root. */
static bool refine(const mesh_cell *cell, uint32_t level, cell_list *finer, uint32_t *descendants, uint32_t *checksum)
{
    if (!reserve(finer, finer->count + APP_MESH_SUBCELLS))
        return false;
    for (uint32_t i = 0; i < APP_MESH_SUBCELLS; i++) {
        mesh_cell *sub = &finer->cell[finer->count++];
        sub->x = cell->x * APP_MESH_SPLIT + i % APP_MESH_SPLIT;
        sub->y = cell->y * APP_MESH_SPLIT + i / APP_MESH_SPLIT;
        sub->root = cell->root;
        descendants[cell->root]++;
        checksum[cell->root] += app_cell_hash(level + 1, sub->x, sub->y);
    }
    return true;
}

/* *items is where the items of this level's threads are noted; NULL: they are not. False: no memory. */
static bool note_level(const cell_list *cells, uint32_t level, uint32_t levels, app_rounds *rounds, uint32_t **items)
{
    *items = NULL;
    if (!rounds || (level > 0 && level + 1 >= levels))
        return true;
    if (level == 0) {
        app_round *round = app_rounds_add(rounds, (uint32_t)cells->count);
        *items = round ? round->items : NULL;
    } else {
        app_nested *nested = app_round_nest(&rounds->round[rounds->count - 1], cells->count);
        *items = nested ? nested->items : NULL;
    }
    return *items != NULL;
}

bool app_amr(uint32_t cells_per_side, uint32_t levels, uint64_t seed, uint32_t *descendants, uint32_t *checksum,
             app_rounds *rounds)
{
    cell_list cells, finer;
    memset(&cells, 0, sizeof cells);
    memset(&finer, 0, sizeof finer);
    bool done = coarsest_cells(&cells, cells_per_side);
    for (uint64_t i = 0; i < cells.count; i++)
        descendants[i] = checksum[i] = 0;
    for (uint32_t level = 0; done && level < levels; level++) {
        uint32_t *items;
        done = note_level(&cells, level, levels, rounds, &items);
        for (uint64_t i = 0; done && level + 1 < levels && i < cells.count; i++) {
            const mesh_cell *cell = &cells.cell[i];
            if (!app_cell_is_refined(level, cell->x, cell->y, cells_per_side, seed))
                continue;
            done = refine(cell, level, &finer, descendants, checksum);
            if (items)
                items[i] = APP_MESH_SUBCELLS;
        }
        cell_list swap = cells;
        cells = finer;
        finer = swap;
        finer.count = 0;
        cells_per_side *= APP_MESH_SPLIT;
    }
    free(cells.cell);
    free(finer.cell);
    return done;
}

/* The Mandelbrot set is computed tile by tile: a tile whose border has one dwell is filled (Mariani and Silver). */

typedef struct picture {
    uint32_t side, tile, max_dwell; /* as in the input */
    uint32_t *dwell;                /* by pixel, row by row; NULL: not wanted */
} picture;

/* Computes the border of a tile; true: all its pixels have the dwell of its corner. */
static bool border_is_even(const picture *p, uint32_t left, uint32_t top, uint32_t corner)
{
    bool is_even = true;
    for (uint32_t i = 0; i < app_tile_border(p->tile) && (is_even || p->dwell); i++) {
        uint32_t x, y;
        app_tile_border_pixel(p->tile, i, &x, &y);
        uint32_t dwell = app_dwell(left + x, top + y, p->side, p->max_dwell);
        if (p->dwell)
            p->dwell[(uint64_t)(top + y) * p->side + left + x] = dwell;
        is_even = is_even && dwell == corner;
    }
    return is_even;
}

static void fill_interior(const picture *p, uint32_t left, uint32_t top, bool is_even, uint32_t corner)
{
    for (uint32_t y = top + 1; y < top + p->tile - 1; y++)
        for (uint32_t x = left + 1; x < left + p->tile - 1; x++)
            p->dwell[(uint64_t)y * p->side + x] = is_even ? corner : app_dwell(x, y, p->side, p->max_dwell);
}

bool app_mandel(uint32_t side, uint32_t tile, uint32_t max_dwell, uint32_t *dwell, app_rounds *rounds)
{
    picture p = {side, tile, max_dwell, dwell};
    uint32_t tiles = side / tile;
    app_round *round = rounds ? app_rounds_add(rounds, tiles * tiles) : NULL;
    if (rounds && !round)
        return false;
    for (uint32_t t = 0; t < tiles * tiles; t++) {
        uint32_t left = t % tiles * tile, top = t / tiles * tile;
        uint32_t corner = app_dwell(left, top, side, max_dwell);
        bool is_even = border_is_even(&p, left, top, corner);
        if (dwell)
            fill_interior(&p, left, top, is_even, corner);
        if (round && !is_even)
            round->items[t] = app_tile_interior(tile);
    }
    return true;
}
