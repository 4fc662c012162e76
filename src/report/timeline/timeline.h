/* Lays a run out: adds the rows, fills them, and gives each its place. */
#ifndef REPORT_TIMELINE_TIMELINE_H
#define REPORT_TIMELINE_TIMELINE_H

#include "report/timeline/state.h"

gcast_status timeline_make(timeline *t, const gcast_run *run, const gcast_report_options *options, gcast_error *err);
void timeline_free(timeline *t);

#endif
