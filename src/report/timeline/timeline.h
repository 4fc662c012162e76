/* Lays a run out: adds the rows, fills them, and gives each its place. */
#ifndef REPORT_TIMELINE_TIMELINE_H
#define REPORT_TIMELINE_TIMELINE_H

#include "report/timeline/state.h"

gcast_status timeline_make(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err);
/* The same in two steps, for pictures with further rows: which rows there are, and where they are below `top`. Between
 * them the caller may change rows, colours, sms_height, left and plot. After a failure of the second step,
 * timeline_free is still to be called. */
gcast_status timeline_rows(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err);
gcast_status timeline_place(timeline *t, int32_t top, gcast_error *err);
void timeline_free(timeline *t);

#endif
