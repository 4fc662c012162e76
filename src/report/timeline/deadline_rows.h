/* Rows of tasks with deadlines, one per task. */
#ifndef REPORT_TIMELINE_DEADLINE_ROWS_H
#define REPORT_TIMELINE_DEADLINE_ROWS_H

#include "report/timeline/state.h"

/* With the jobs that the options give. */
gcast_status timeline_add_jobs(timeline *t, const gcast_report_options *options, gcast_error *err);
/* Was it missed by the end of the view? */
bool timeline_job_missed(const timeline *t, const deadline *d);

#endif
