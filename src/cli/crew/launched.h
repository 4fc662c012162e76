/* Commands that run on all cores and, by mpirun, on many machines: how they start and end. */
#ifndef CLI_CREW_LAUNCHED_H
#define CLI_CREW_LAUNCHED_H

#include "experiment/crew/ranks.h"

/* Did a launcher such as mpirun start this process? */
launcher launched_by(void);
/* Ends all ranks. */
_Noreturn void launched_end_all(const ranks *r, gcast_status status);
/* For crew_task.cannot_start. */
void launched_cannot_start(void);

#endif
