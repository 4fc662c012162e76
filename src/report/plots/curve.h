/* Blocks per SM over block size: the points of the curve, and the picture. */
#ifndef REPORT_PLOTS_CURVE_H
#define REPORT_PLOTS_CURVE_H

#include "gridcast/occupancy.h"
#include "gridcast/report.h"

#define CURVE_STEP 32
#define CURVE_POINTS 64 /* block sizes 32, 64, ... at most 2048 */

typedef struct curve_point {
    gcast_block_shape shape;
    gcast_occupancy occupancy;
} curve_point;

typedef struct curve {
    const char *title; /* of the GPU */
    curve_point at[CURVE_POINTS];
    size_t count;
    curve_point chosen; /* the shape that was asked for */
} curve;

gcast_status curve_draw(const curve *c, gcast_format format, gcast_write_fn write, void *data, gcast_error *err);

#endif
