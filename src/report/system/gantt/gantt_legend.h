/* The legend of a system's picture: marks, and the tasks with their colours. */
#ifndef REPORT_SYSTEM_GANTT_GANTT_LEGEND_H
#define REPORT_SYSTEM_GANTT_GANTT_LEGEND_H

#include "report/canvas/canvas.h"
#include "report/system/gantt/gantt.h"

/* Draws it from y on, or with a canvas of NULL only says how high it is. */
int32_t gantt_legend_draw(const gantt *g, canvas *c, int32_t y);

#endif
