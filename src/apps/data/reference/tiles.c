/* The Mandelbrot set, tile by tile: a tile whose border has one dwell is filled (Mariani and Silver). */
#include "apps/data/mandelbrot.h"
#include "apps/data/reference.h"

typedef struct picture {
    uint32_t side, tile, max_dwell; /* as in the input */
    uint32_t *dwell;                /* by pixel, row by row; NULL: of no interest */
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
