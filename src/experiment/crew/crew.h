/* All cores of all machines judge the sets of an experiment. Rank 0 hands them out
 * and keeps the verdicts; who judges what does not show in them. */
#ifndef EXPERIMENT_CREW_CREW_H
#define EXPERIMENT_CREW_CREW_H

#include "experiment/crew/part_file.h"
#include "experiment/crew/ranks.h"

#define CREW_MOST_THREADS 1024

typedef struct crew_task {
    const gcast_experiment *e;
    ranks ranks;
    int threads;        /* that judge, on this rank */
    uint32_t *verdicts; /* rank 0: of every set; 0: to be judged */
    part_file *part;    /* rank 0 */
    uint64_t most;      /* stop after so many more sets */
} crew_task;

/* Threads that make sense on this machine: its cores, shared among its ranks. */
int crew_cores(const ranks *r);
/* Errors are said. On rank 0, *judged sets more. */
gcast_status crew_run(const crew_task *t, uint64_t *judged);

#endif
