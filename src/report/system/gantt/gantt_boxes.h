/* Draws the jobs on a core as boxes. */
#ifndef REPORT_SYSTEM_GANTT_GANTT_BOXES_H
#define REPORT_SYSTEM_GANTT_GANTT_BOXES_H

#include "report/canvas/canvas.h"
#include "report/system/gantt/gantt.h"

void gantt_boxes_draw(const gantt *g, const gantt_row *row, canvas *c);
/* A pale, hatched box: somebody waits. */
void wait_box(canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t rgb, const char *tooltip);

#endif
