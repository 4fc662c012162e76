/* The Mandelbrot set in fixed-point arithmetic of 64 bits: the same bits on CPU and GPU. The picture shows real parts
 * -2..0.5 and imaginary parts -1.25..1.25. */
#ifndef PAPERS_APPS_DATA_MANDELBROT_H
#define PAPERS_APPS_DATA_MANDELBROT_H

#include <stdint.h>

#include "papers/apps/data/hash.h"

#define APP_DWELL_BITS 28 /* of a fraction */

/* The number of steps in which pixel (px, py) of side x side pixels leaves the circle of radius 2; max: it has not left
 * after as many. Right shifts of negative numbers are arithmetic. side <= 2^16. */
APP_BOTH static inline uint32_t app_dwell(uint32_t px, uint32_t py, uint32_t side, uint32_t max)
{
    int64_t one = INT64_C(1) << APP_DWELL_BITS;
    int64_t cx = -2 * one + 5 * (one / 4) * (2 * (int64_t)px + 1) / side;
    int64_t cy = -5 * (one / 4) + 5 * (one / 4) * (2 * (int64_t)py + 1) / side;
    int64_t x = 0, y = 0;
    uint32_t dwell = 0;
#ifndef __CUDA_ARCH__
    int64_t back_x = 0, back_y = 0;
    uint32_t next = 8;
#endif
    while (dwell < max) {
        int64_t xx = (x * x) >> APP_DWELL_BITS, yy = (y * y) >> APP_DWELL_BITS;
        if (xx + yy > 4 * one)
            break;
        y = ((x * y) >> (APP_DWELL_BITS - 1)) + cy;
        x = xx - yy + cx;
        dwell++;
#ifndef __CUDA_ARCH__ /* a point that returns to an earlier place never leaves; on the CPU that saves time */
        if (x == back_x && y == back_y)
            return max;
        if (dwell == next) {
            back_x = x;
            back_y = y;
            next *= 2;
        }
#endif
    }
    return dwell;
}

/* Tiles are numbered row by row; side is a multiple of tile. The border of a tile is a closed line of 4 * (tile - 1)
 * pixels, numbered clockwise from its corner of least coordinates; its interior has (tile - 2)^2 pixels, row by row.
 * Where all pixels of the border have the same dwell, the interior is filled with it. */
APP_BOTH static inline uint32_t app_tile_border(uint32_t tile)
{
    return 4 * (tile - 1);
}

APP_BOTH static inline uint32_t app_tile_interior(uint32_t tile)
{
    return (tile - 2) * (tile - 2);
}

/* Pixel `i` of the border, from the tile's corner. */
APP_BOTH static inline void app_tile_border_pixel(uint32_t tile, uint32_t i, uint32_t *x, uint32_t *y)
{
    uint32_t last = tile - 1; /* each of the four sides has as many pixels, without its last corner */
    *x = i < last ? i : i < 2 * last ? last : i < 3 * last ? 3 * last - i : 0;
    *y = i < last ? 0 : i < 2 * last ? i - last : i < 3 * last ? last : 4 * last - i;
}

#endif
