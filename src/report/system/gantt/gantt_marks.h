/* Releases, deadlines and misses above the boxes of a core. */
#ifndef REPORT_SYSTEM_GANTT_GANTT_MARKS_H
#define REPORT_SYSTEM_GANTT_GANTT_MARKS_H

#include "report/canvas/canvas.h"
#include "report/system/gantt/gantt.h"

void gantt_marks_draw(const gantt *g, const gantt_row *row, canvas *c);

/* Single marks; `y` is the bottom of the arrows, and the middle of the cross. */
void release_mark(canvas *c, int32_t x, int32_t y, uint32_t rgb);
void deadline_mark(canvas *c, int32_t x, int32_t y, uint32_t rgb);
void miss_mark(canvas *c, int32_t x, int32_t y);

#endif
