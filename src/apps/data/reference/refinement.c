/* Refinement of a mesh, level by level. */
#include <stdlib.h>
#include <string.h>

#include "apps/data/mesh.h"
#include "apps/data/reference.h"

typedef struct mesh_cell {
    uint32_t x, y; /* at its level */
    uint32_t root; /* the cell of level 0 that it is in */
} mesh_cell;

/* The cells of one level, in the order of the threads that have them. */
typedef struct cell_list {
    mesh_cell *cell;
    uint64_t count;
    uint64_t capacity;
} cell_list;

/* Space for `count` cells, at least one. False: no memory. */
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

/* Where the items of this level's threads are noted; false: no memory. *items NULL: they are not. */
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
