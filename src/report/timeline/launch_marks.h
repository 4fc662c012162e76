/* Launches below the axis: an arrow each, and labels that cross neither a label nor an arrow. They are placed from
 * right to left: a label goes one level below every arrow that it passes under, so that the shafts of later launches
 * end above it. */
#ifndef REPORT_TIMELINE_LAUNCH_MARKS_H
#define REPORT_TIMELINE_LAUNCH_MARKS_H

#include "report/timeline/timeline.h"

gcast_status timeline_place_marks(timeline *t, gcast_error *err);

#endif
