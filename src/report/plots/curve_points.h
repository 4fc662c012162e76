/* Blocks per SM over block size: the points of the curve. */
#ifndef REPORT_PLOTS_CURVE_POINTS_H
#define REPORT_PLOTS_CURVE_POINTS_H

#include "gridcast/occupancy.h"

#define CURVE_STEP 32   /* threads from one point to the next */
#define CURVE_POINTS 64 /* block sizes 32, 64, ... at most 2048 */

typedef struct curve_point {
    gcast_block_shape shape;   /* with a block size of its own */
    gcast_occupancy occupancy; /* of that shape */
} curve_point;

typedef struct curve {
    const char *title;            /* of the GPU */
    curve_point at[CURVE_POINTS]; /* by block size */
    size_t count;                 /* of points */
    curve_point chosen;           /* the shape that was asked for */
} curve;

#endif
