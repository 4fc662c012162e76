/* Which colour is which stream, and how deadlines are marked. */
#ifndef REPORT_PICTURE_LEGEND_H
#define REPORT_PICTURE_LEGEND_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

/* Draws at y and returns the height; with c NULL only the height. */
int32_t legend_draw(const timeline *t, canvas *c, int32_t y);

#endif
