/* Throughput over workers per SM as a picture: what was measured as a line with points, what was predicted as a dashed
 * line, and the least number of workers that is enough. */
#ifndef REPORT_PLOTS_WORKERS_DRAW_H
#define REPORT_PLOTS_WORKERS_DRAW_H

#include "report/canvas/canvas.h"
#include "report/plots/workers_points.h"

/* The picture, for the caller to free; NULL without memory. */
canvas *workers_canvas(const workers_points *points);
gcast_status workers_draw(const workers_points *points, gcast_format format, gcast_write_fn write, void *data,
                          gcast_error *err);

#endif
