/* Draws a run as a timeline on a canvas. */
#ifndef REPORT_PICTURE_DRAW_H
#define REPORT_PICTURE_DRAW_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

/* Lays out and draws a run. */
gcast_status run_draw(const gcast_run *run, const gcast_report_options *options, canvas **out, gcast_error *err);
/* Draws a timeline that is laid out; NULL and err without memory. */
canvas *timeline_draw(const timeline *t, gcast_error *err);

#endif
