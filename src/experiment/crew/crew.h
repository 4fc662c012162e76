/* All cores of all machines judge the sets of an experiment. Rank 0 hands them out and keeps the verdicts; who judges
 * which set makes no difference to them. */
#ifndef EXPERIMENT_CREW_CREW_H
#define EXPERIMENT_CREW_CREW_H

#include "experiment/crew/task.h"

/* A good number of threads on this machine: its cores, divided among its ranks. */
int crew_cores(const ranks *r);
/* On rank 0, *judged is how many more sets were judged. */
gcast_status crew_run(const crew_task *t, uint64_t *judged, gcast_error *err);

#endif
