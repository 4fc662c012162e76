/* What stands around a picture: its heading, entries of its legend, and ticks of its axes. */
#ifndef REPORT_CANVAS_PICTURE_FRAME_H
#define REPORT_CANVAS_PICTURE_FRAME_H

#include "report/canvas/canvas.h"

/* The heading of a plot, from `left` on. */
void frame_heading(canvas *c, int32_t left, const char *title, const char *subtitle);
/* The heading of a picture of rows; the title is cut to the width of the picture. */
void frame_rows_heading(canvas *c, const char *title, const char *subtitle);
/* An entry of a legend: a square and its words. Returns where the next one begins, `gap` behind it. `c` may be NULL. */
int32_t frame_key(canvas *c, int32_t x, int32_t y, uint32_t rgb, const char *words, int32_t size, int32_t gap);
/* A tick of the lower axis. */
void frame_tick(canvas *c, int32_t x, int32_t bottom, const char *label, int32_t size);
/* A line across the plot at a value of the left axis. */
void frame_line(canvas *c, int32_t left, int32_t right, int32_t y, const char *label);

#endif
