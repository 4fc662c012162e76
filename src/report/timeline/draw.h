/* Draws a run as a timeline on a canvas. */
#ifndef REPORT_TIMELINE_DRAW_H
#define REPORT_TIMELINE_DRAW_H

#include "report/canvas/canvas.h"
#include "report/timeline/timeline.h"

/* Lays out and draws a run. */
gcast_status run_draw(const gcast_run *run, const gcast_report_options *options, canvas **out, gcast_error *err);
/* Draws a timeline that is laid out; NULL and err without memory. */
canvas *timeline_draw(const timeline *t, gcast_error *err);

/* Parts of a timeline, for pictures with further rows: the ground of a row, a row and its label, vertical lines, the
 * axis. */
#define ROW_GROUND 0xf3f4f6u
void timeline_row_draw(const timeline *t, const timeline_row *row, canvas *c);
void timeline_grid_draw(const timeline *t, canvas *c);
void timeline_axis_draw(const timeline *t, canvas *c);

/* Says which colour is which stream, and how deadlines are marked. Draws at y and returns the height; with c NULL only
 * the height. */
int32_t legend_draw(const timeline *t, canvas *c, int32_t y);

#endif
