/* The list below an overview: the kernels that hold the largest share of the thread time, and the scale of the
 * shades. */
#ifndef REPORT_PICTURE_KERNEL_LIST_H
#define REPORT_PICTURE_KERNEL_LIST_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

/* Draws at y and returns the height, 0 where there is no overview; with c NULL only the height. */
int32_t kernel_list_draw(const timeline *t, canvas *c, int32_t y);

#endif
