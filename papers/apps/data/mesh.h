/* A mesh that is refined where circular fronts cross it. The domain is a square of APP_MESH_UNITS units per side; a
 * cell that a front crosses is refined into APP_MESH_SPLIT x APP_MESH_SPLIT sub-cells of the next level. All is integer
 * arithmetic, for CPU and GPU. */
#ifndef PAPERS_APPS_DATA_MESH_H
#define PAPERS_APPS_DATA_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "papers/apps/data/hash.h"

#define APP_MESH_UNITS (UINT32_C(1) << 24)
#define APP_MESH_SPLIT 4u
#define APP_MESH_SUBCELLS (APP_MESH_SPLIT * APP_MESH_SPLIT)
#define APP_MESH_FRONTS 6u

/* A front of a seed, by number: its centre is in the middle half of the domain, its radius 1/16 to 5/16 of the side. */
APP_BOTH static inline void app_mesh_front(uint64_t seed, uint32_t front, int64_t *x, int64_t *y, int64_t *radius)
{
    uint64_t bits = app_mix(app_mix(seed) + front);
    *x = (int64_t)(APP_MESH_UNITS / 4 + (uint32_t)(bits & 0xfffff) * (APP_MESH_UNITS >> 21));
    *y = (int64_t)(APP_MESH_UNITS / 4 + (uint32_t)((bits >> 20) & 0xfffff) * (APP_MESH_UNITS >> 21));
    *radius = (int64_t)(APP_MESH_UNITS / 16 + (uint32_t)((bits >> 40) & 0xfffff) * (APP_MESH_UNITS >> 22));
}

/* Squares of the least and the largest distance between `centre` and lo..hi, along one axis. */
APP_BOTH static inline void app_mesh_span(int64_t centre, int64_t lo, int64_t hi, int64_t *least, int64_t *largest)
{
    int64_t below = centre - lo, above = hi - centre;
    int64_t near_by = below < 0 ? -below : above < 0 ? -above : 0;
    int64_t far_off = below > above ? below : above;
    *least = near_by * near_by;
    *largest = far_off * far_off;
}

/* Is this cell refined? Its level is the number of refinements above it; cells_per_side is that of the whole domain at
 * this level. */
APP_BOTH static inline bool app_cell_is_refined(uint32_t level, uint32_t x, uint32_t y, uint32_t cells_per_side,
                                                uint64_t seed)
{
    int64_t x_lo = (int64_t)((uint64_t)x * APP_MESH_UNITS / cells_per_side);
    int64_t x_hi = (int64_t)(((uint64_t)x + 1) * APP_MESH_UNITS / cells_per_side);
    int64_t y_lo = (int64_t)((uint64_t)y * APP_MESH_UNITS / cells_per_side);
    int64_t y_hi = (int64_t)(((uint64_t)y + 1) * APP_MESH_UNITS / cells_per_side);
    /* Weak fronts need no fine mesh: half as many count at every further level, at least one. */
    uint32_t fronts = level < 3 ? APP_MESH_FRONTS >> level : 1;
    for (uint32_t f = 0; f < fronts; f++) {
        int64_t cx, cy, radius, x_least, x_largest, y_least, y_largest;
        app_mesh_front(seed, f, &cx, &cy, &radius);
        app_mesh_span(cx, x_lo, x_hi, &x_least, &x_largest);
        app_mesh_span(cy, y_lo, y_hi, &y_least, &y_largest);
        if (x_least + y_least <= radius * radius && radius * radius < x_largest + y_largest)
            return true;
    }
    return false;
}

/* What a cell below level 0 adds to the checksum of the cell of level 0 around it. */
APP_BOTH static inline uint32_t app_cell_hash(uint32_t level, uint32_t x, uint32_t y)
{
    return app_hash((level << 28) ^ x, y);
}

#endif
