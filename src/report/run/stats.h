/* A run in a few numbers. */
#ifndef REPORT_RUN_STATS_H
#define REPORT_RUN_STATS_H

#include "gridcast/run.h"

/* From the earliest start of an operation on the GPU, which is *first_start unless that is NULL, to the latest end.
 * Where nothing ran it is 0, and *first_start is -1. */
int64_t stats_makespan(const gcast_run *run, int64_t *first_start);
/* Threads * time that blocks held, of what all SMs have in the makespan, in thousandths; -1 where no kernel ran or the
 * times of its blocks are not known. In runs with launches, warps * time, with those of children. */
int stats_utilisation(const gcast_run *run);
/* SMs that had a block of this operation; -1 where blocks are not recorded. */
int stats_sms(const gcast_run *run, size_t op);

/* The response times of the jobs of a task, from the release of a job to the end of its last operation. */
typedef struct stats_task {
    size_t jobs;               /* released */
    size_t complete;           /* of these, all operations ended */
    size_t late_count;         /* of the complete ones, after the deadline */
    int64_t worst, mean, best; /* response times of the complete ones; -1: there are none */
} stats_task;

/* By task; free() it. NULL without memory. */
stats_task *stats_tasks(const gcast_run *run);

#endif
