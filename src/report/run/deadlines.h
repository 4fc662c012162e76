/* The jobs of tasks that have a deadline: when each was released, had to end, and ended. */
#ifndef REPORT_RUN_DEADLINES_H
#define REPORT_RUN_DEADLINES_H

#include "base/vec.h"
#include "gridcast/run.h"

typedef struct deadline {
    int task;            /* index in the workload */
    uint32_t job;        /* of the task, from 0 */
    int64_t release;     /* when it was released */
    int64_t deadline_ns; /* its deadline */
    int64_t end;         /* of its last operation; -1: not all of them ran */
} deadline;

typedef VEC(deadline) deadline_list;

/* By task, then job. False without memory. */
bool deadlines_find(const gcast_run *run, deadline_list *out);

static inline bool deadline_missed(const deadline *d)
{
    return d->end > d->deadline_ns;
}

/* "camera#3" into out. */
void deadline_name(const gcast_run *run, const deadline *d, char *out, size_t size);

#endif
