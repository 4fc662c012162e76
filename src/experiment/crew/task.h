/* What a crew is to do. */
#ifndef EXPERIMENT_CREW_TASK_H
#define EXPERIMENT_CREW_TASK_H

#include "experiment/crew/part_file.h"
#include "experiment/crew/ranks.h"

#define CREW_MAX_THREADS 1024

typedef struct crew_task {
    const gcast_experiment *experiment;            /* whose sets are judged */
    ranks ranks;                                   /* the processes that judge them, this one among them */
    int threads;                                   /* threads of this rank that judge */
    uint32_t *verdicts;                            /* rank 0: of every set; 0: the set is to be judged */
    part_file *part;                               /* rank 0: where verdicts are kept */
    uint64_t max_sets;                             /* the crew stops after this many more sets */
    bool (*progress)(void *data, double fraction); /* rank 0: called now and then; NULL: is not */
    void *progress_data;                           /* for `progress` */
    void (*cannot_start)(void); /* called where OpenMP ends the process as the threads cannot start; does not return */
} crew_task;

#endif
