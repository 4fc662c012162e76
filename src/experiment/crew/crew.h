/* All cores of all machines do the items of an experiment or a search. Rank 0 hands them out and keeps the results; who
 * does which item makes no difference to them. */
#ifndef EXPERIMENT_CREW_CREW_H
#define EXPERIMENT_CREW_CREW_H

#include "experiment/crew/task.h"

/* A good number of threads on this machine: its cores, divided among its ranks. */
int crew_cores(const ranks *r);
/* On rank 0, *done is how many more items were done. */
gcast_status crew_run(const crew_task *t, uint64_t *done, gcast_error *err);

#endif
