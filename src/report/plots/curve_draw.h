/* The curve of blocks per SM as a picture: a bar per block size, as high as the blocks that fit on an SM and in the
 * colour of the resource that limits them, and occupancy as a line. */
#ifndef REPORT_PLOTS_CURVE_DRAW_H
#define REPORT_PLOTS_CURVE_DRAW_H

#include "gridcast/report.h"
#include "report/plots/curve_points.h"

gcast_status curve_draw(const curve *c, gcast_format format, gcast_write_fn write, void *data, gcast_error *err);

#endif
