/* Draws what SMs hold over time. */
#ifndef REPORT_TIMELINE_AREAS_DRAW_H
#define REPORT_TIMELINE_AREAS_DRAW_H

#include "report/canvas/canvas.h"
#include "report/timeline/timeline.h"

/* Stacked areas with the names of kernels or streams, and the part of the time that a stream or engine is busy. */
void areas_draw(const timeline *t, const timeline_row *row, canvas *c);
void busy_draw(const timeline *t, const timeline_row *row, canvas *c);

/* An overview, where there are too many kernels to see each: the threads in use over time; SMs in shades of that. */
void use_draw(const timeline *t, const timeline_row *row, canvas *c);
void shades_draw(const timeline *t, const timeline_row *row, canvas *c);

/* The list below an overview: the kernels that hold the largest share of the thread time, and the scale of the shades.
 * Draws it at y and returns its height, 0 where there is no overview; with c NULL only the height. */
int32_t kernel_list_draw(const timeline *t, canvas *c, int32_t y);

#endif
