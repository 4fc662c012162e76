/* The table of an execution of a system: what its tasks' jobs took. */
#ifndef REPORT_SYSTEM_EXECUTION_RUN_GRID_H
#define REPORT_SYSTEM_EXECUTION_RUN_GRID_H

#include "base/text/text.h"
#include "model/system/system_run.h"
#include "report/system/grids/system_grids.h"
#include "report/system/system_view.h"

/* What was seen of a task. */
typedef struct task_seen {
    size_t jobs, missed, unfinished;
    int64_t best_ns, worst_ns; /* of jobs that ended, from the release of their root; -1: none has */
    int64_t busy_ns;           /* that its jobs held a core */
} task_seen;

/* By task, for the caller to free; NULL without memory. */
task_seen *run_seen(const sys_run *run);

void grid_of_run(sys_grid *t, const sys_run *run);
/* "12 of 90 jobs missed their deadlines" */
void run_seen_summary(const sys_run *run, text *out);
void system_run_text(const sys_run *run, bool color, text *out);

#endif
