/* Draws an execution of a system. */
#ifndef REPORT_SYSTEM_GANTT_GANTT_DRAW_H
#define REPORT_SYSTEM_GANTT_GANTT_DRAW_H

#include "model/system/system_run.h"
#include "report/canvas/canvas.h"
#include "report/system/system_view.h"

gcast_status system_draw(const sys_run *run, const sys_report_options *options, canvas **out, gcast_error *err);

#endif
