/* The jobs of tasks that have a deadline: when each was released, had to end, and ended. */
#ifndef REPORT_RUN_DEADLINES_H
#define REPORT_RUN_DEADLINES_H

#include "base/vec.h"
#include "gridcast/report.h"
#include "gridcast/run.h"

typedef struct deadline {
    int task;            /* its row: the task's index in the workload; given jobs have higher numbers */
    const char *name;    /* of the task */
    int stream;          /* of the task, for its colour; -1: none */
    uint32_t job;        /* of the task, from 0 */
    int64_t release;     /* when it was released */
    int64_t deadline_ns; /* its deadline */
    int64_t end;         /* of its last operation; -1: not all of them ended */
    bool hangs;          /* the run hangs: a job without an end never ends */
} deadline;

typedef VEC(deadline) deadline_list;

/* Finds the jobs of the workload's tasks, by task, then job. False without memory. */
bool deadlines_find(const gcast_run *run, deadline_list *out);
/* Adds the jobs that the caller of a report gives. False without memory. */
bool deadlines_add(const gcast_run *run, const gcast_report_job *jobs, size_t count, deadline_list *out);

static inline bool deadline_never_ends(const deadline *d)
{
    return d->hangs && d->end < 0;
}

static inline bool deadline_missed(const deadline *d)
{
    return d->end > d->deadline_ns;
}

/* "camera#3" into out. */
void deadline_name(const deadline *d, char *out, size_t size);

#endif
