/* An execution of a system as tables, text and JSON: the response times of its tasks' jobs, and which missed their
 * deadlines. */
#ifndef REPORT_SYSTEM_SYSTEM_EXECUTION_H
#define REPORT_SYSTEM_SYSTEM_EXECUTION_H

#include "base/text.h"
#include "model/system_run.h"
#include "report/system/system_grids.h"
#include "report/system/system_view.h"

void grid_of_run(sys_grid *t, const sys_run *run);
/* "12 of 90 jobs missed their deadlines" */
void run_seen_summary(const sys_run *run, text *out);
void system_run_text(const sys_run *run, bool color, text *out);

/* gridcast.system-run/1 (docs/formats.md). False without memory. */
bool system_run_json(const sys_run *run, text *out);

/* When the job has to end; -1: it has no deadline. */
static inline int64_t job_due_ns(const sys_run *run, const sys_job *job)
{
    const sys_task *of = &run->of->tasks[job->task];
    return of->deadline_ns ? job->release_ns + of->deadline_ns : -1;
}

/* Did it miss its deadline, as far as the run goes? */
static inline bool job_missed(const sys_run *run, const sys_job *job)
{
    int64_t due = job_due_ns(run, job);
    return due >= 0 && (job->end_ns < 0 ? run->end_ns > due : job->end_ns > due);
}

#endif
