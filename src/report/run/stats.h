/* A run in a few numbers. */
#ifndef REPORT_RUN_STATS_H
#define REPORT_RUN_STATS_H

#include "gridcast/run.h"

/* From the earliest start of an operation on the GPU, *from unless NULL, to the last end; 0 where nothing ran, and
 * *from is -1. */
int64_t stats_makespan(const gcast_run *run, int64_t *from);
/* Threads * time that blocks held over what all SMs have in the makespan, in
 * thousandths; -1 where no kernel ran or the
 * time of its blocks is not known. */
int stats_utilisation(const gcast_run *run);
/* SMs that had a block of this operation; -1 where blocks are not recorded. */
int stats_sms(const gcast_run *run, size_t op);

/* Response times (end of the last op minus release of the job) of one task. */
typedef struct stats_task {
    size_t jobs, complete, late; /* late: complete, but after the deadline */
    int64_t worst, mean, best;   /* of those complete; -1: none */
} stats_task;

/* By task; free() it. NULL without memory. */
stats_task *stats_tasks(const gcast_run *run);

#endif
