/* Runs each application on one core of the CPU: a GPU must give the same bits. Each adds its rounds to `rounds`, which
 * may be NULL. False: no memory. */
#ifndef PAPERS_APPS_DATA_REFERENCE_H
#define PAPERS_APPS_DATA_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "papers/apps/data/graph.h"
#include "papers/apps/data/matrix.h"
#include "papers/apps/data/reads.h"
#include "papers/apps/data/relations.h"

#ifdef __cplusplus
extern "C" {
#endif

#define APP_MAX_NESTED 4
#define APP_UNREACHED UINT32_MAX /* the distance of a vertex that no path leads to */
#define APP_UNCOLOURED UINT32_MAX

/* Rounds say how many items each thread of the parent kernels has, which it may give to a child. */

/* Child threads that may launch children themselves. */
typedef struct app_nested {
    uint64_t launchers; /* as many as items in the level before */
    uint32_t *items;    /* by launcher: in the order of the items of the level before */
} app_nested;

/* One launch of the parent kernel. */
typedef struct app_round {
    uint32_t threads; /* each has a vertex, tuple, tile, row, read or cell */
    uint32_t *items;  /* by thread */
    int nested_count; /* levels of children that may launch children */
    app_nested nested[APP_MAX_NESTED];
} app_round;

typedef struct app_rounds {
    app_round *round;
    size_t count;
    size_t capacity;
} app_rounds;

/* Totals of all rounds and nested levels. */
typedef struct app_totals {
    uint64_t threads;  /* of parents and nested launchers */
    uint64_t items;    /* of all these threads */
    uint64_t children; /* threads with at least min_items items */
    uint64_t offered;  /* items of those threads */
    uint32_t largest;  /* most items of a thread */
} app_totals;

/* Adds a round of threads with 0 items each; app_rounds begin with {0}. NULL: no memory. */
app_round *app_rounds_add(app_rounds *rounds, uint32_t threads);
/* Adds the next nested level of a round, of launchers with 0 items each. NULL: no memory. */
app_nested *app_round_nest(app_round *round, uint64_t launchers);
void app_rounds_free(app_rounds *rounds);
app_totals app_rounds_total(const app_rounds *rounds, uint32_t min_items);

/* Distances in edges, by vertex. A round per level: its threads are the vertices of the frontier, ascending; items:
 * their degrees. The last round has a frontier that finds nothing new. */
bool app_bfs(const app_graph *g, uint32_t source, uint32_t *distance, app_rounds *rounds);

/* Distances by weights (app_edge_weight), by vertex. Threads of a round: the vertices whose distance fell in the round
 * before, ascending, first the source; each relaxes its edges with the distance that it had when the round began.
 * Items: their degrees. */
bool app_sssp(const app_graph *g, uint32_t source, uint32_t *distance, app_rounds *rounds);

/* Colours from 0, by vertex. Threads of a round: the vertices that had no colour when it began, ascending. One that
 * comes before all its neighbours without a colour (app_vertex_before) takes the smallest colour that none of its
 * neighbours had when the round began. Items: their degrees. */
bool app_colour(const app_graph *g, uint32_t *colour, app_rounds *rounds);

/* By tuple of R: the number of matches in S, and the sum modulo 2^32 of app_match_hash over them. Threads: tuples of R;
 * items: matches. */
bool app_join_run(const app_join *j, uint32_t *matches, uint32_t *sum, app_rounds *rounds);

/* By cell of level 0, row by row: the number of cells below it in all levels, and the sum modulo 2^32 of app_cell_hash
 * over them. Cells of the last level (levels - 1) are not refined. Threads: cells of level 0; items: 16 or 0 sub-cells,
 * row by row. Nested level k has the sub-cells of level k + 1 that may be refined. levels <= APP_MAX_NESTED + 2. */
bool app_amr(uint32_t cells_per_side, uint32_t levels, uint64_t seed, uint32_t *descendants, uint32_t *checksum,
             app_rounds *rounds);

/* The dwell of every pixel, row by row. Threads: tiles; items: the pixels of the interior where the border has several
 * dwells, else 0: the thread fills the interior by itself, even where a pixel of it would have had another dwell.
 * `dwell` may be NULL, which is much faster. */
bool app_mandel(uint32_t side, uint32_t tile, uint32_t max_dwell, uint32_t *dwell, app_rounds *rounds);

/* Matrix times vector modulo 2^32, by row. Threads: rows; items: nonzeros. */
bool app_mm(const app_matrix *m, uint32_t *product, app_rounds *rounds);

/* By read: the least app_alignment over the places of its first k-mer (app_kmer_places); without a place
 * app_alignment(APP_READ_BASES + 1, APP_NO_PLACE). Threads: reads; items: places. `best` may be NULL, and needs no
 * index then. */
bool app_sa(const app_reads *r, uint64_t *best, app_rounds *rounds);

#ifdef __cplusplus
}
#endif

#endif
