/* Rows of tasks with deadlines, one per task. */
#ifndef REPORT_TIMELINE_JOB_ROWS_H
#define REPORT_TIMELINE_JOB_ROWS_H

#include "report/canvas/canvas.h"
#include "report/timeline/timeline.h"

/* Adds the rows, also of the jobs that the options give. */
gcast_status timeline_add_jobs(timeline *t, const gcast_report_options *options, gcast_error *err);

/* The jobs of a task: a bar from each release (an arrow up) to its deadline (an arrow down), inside it the response
 * time, beyond it the lateness, crossed out. Where jobs are too close to each other only the missed deadlines are
 * drawn. */
void jobs_draw(const timeline *t, const timeline_row *row, canvas *c);
/* The marks of releases, deadlines and dependencies in the legend, at x and this base line; returns their width. With c
 * NULL only the width. */
int32_t jobs_legend_draw(const timeline *t, canvas *c, int32_t x, int32_t base_line);

#endif
