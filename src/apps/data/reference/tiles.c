/* The Mandelbrot set, tile by tile: a tile whose border has one dwell is filled (Mariani and Silver). */
#include "apps/data/mandelbrot.h"
#include "apps/data/reference.h"

typedef struct picture {
    uint32_t side, tile, max_dwell; /* as in the input */
    uint32_t *dwell;                /* by pixel, row by row */
} picture;

/* Computes the border of a tile; true: all its pixels have the same dwell. */
static bool border_is_even(const picture *p, uint32_t left, uint32_t top)
{
    bool is_even = true;
    for (uint32_t i = 0; i < app_tile_border(p->tile); i++) {
        uint32_t x, y;
        app_tile_border_pixel(p->tile, i, &x, &y);
        uint32_t dwell = app_dwell(left + x, top + y, p->side, p->max_dwell);
        p->dwell[(uint64_t)(top + y) * p->side + left + x] = dwell;
        is_even = is_even && dwell == p->dwell[(uint64_t)top * p->side + left];
    }
    return is_even;
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
        bool is_filled = border_is_even(&p, left, top);
        uint32_t fill = dwell[(uint64_t)top * side + left];
        for (uint32_t y = top + 1; y < top + tile - 1; y++)
            for (uint32_t x = left + 1; x < left + tile - 1; x++)
                dwell[(uint64_t)y * side + x] = is_filled ? fill : app_dwell(x, y, side, max_dwell);
        if (round && !is_filled)
            round->items[t] = app_tile_interior(tile);
    }
    return true;
}
