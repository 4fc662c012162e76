/* The time that a picture shows where nobody says which. */
#ifndef REPORT_SYSTEM_GANTT_GANTT_WINDOW_H
#define REPORT_SYSTEM_GANTT_GANTT_WINDOW_H

#include "model/system/system.h"

/* From the start: up to the longest period, or to about so many jobs as can be seen. */
int64_t system_window_ns(const sys_system *s);

#endif
