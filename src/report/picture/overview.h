/* An overview, where there are too many kernels to see each: the threads in use over time, and SMs in shades of
 * that. */
#ifndef REPORT_PICTURE_OVERVIEW_H
#define REPORT_PICTURE_OVERVIEW_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

void use_draw(const timeline *t, const timeline_row *row, canvas *c);
void shades_draw(const timeline *t, const timeline_row *row, canvas *c);

#define SHADES 12
/* The colour of a shade from 0, white, to SHADES. */
uint32_t shade_colour(uint32_t shade);
/* "12.5 %", or "12 %": a share in 1/SHARE_ALL. */
void share_percent(uint32_t share, char out[24]);

#endif
