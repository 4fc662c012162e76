/* What an operation waited for, from its release to its end: a row of the timeline, and a list below it. */
#ifndef REPORT_TIMELINE_WAIT_LANE_H
#define REPORT_TIMELINE_WAIT_LANE_H

#include "report/canvas/canvas.h"
#include "report/timeline/timeline.h"

void wait_lane_draw(const timeline *t, const timeline_row *row, canvas *c);
/* The list of the longest waits, from y on; returns its height. With c NULL only the height. */
int32_t wait_list_draw(const timeline *t, canvas *c, int32_t y);

#endif
