/* Draws an execution of a system, and the legend of that picture. */
#ifndef REPORT_SYSTEM_GANTT_DRAW_H
#define REPORT_SYSTEM_GANTT_DRAW_H

#include "model/system_run.h"
#include "report/canvas/canvas.h"
#include "report/system/gantt.h"
#include "report/system/system_view.h"

gcast_status system_draw(const sys_run *run, const sys_report_options *options, canvas **out, gcast_error *err);
/* The marks, and the tasks with their colours. Draws them from y on and returns the height; with c NULL only that. */
int32_t gantt_legend_draw(const gantt *g, canvas *c, int32_t y);

#endif
