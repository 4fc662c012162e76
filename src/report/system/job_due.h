/* When jobs have to end, and whether they did. */
#ifndef REPORT_SYSTEM_JOB_DUE_H
#define REPORT_SYSTEM_JOB_DUE_H

#include "model/system/system_run.h"

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
