/* Blocks and bars as rectangles. */
#ifndef REPORT_PICTURE_BOXES_H
#define REPORT_PICTURE_BOXES_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

void blocks_draw(const timeline *t, const timeline_row *row, canvas *c);
void bars_draw(const timeline *t, const timeline_row *row, canvas *c);

#endif
