/* Start and end of commands that run on all cores and, by mpirun, on many machines. */
#ifndef CLI_LAUNCHER_H
#define CLI_LAUNCHER_H

#include "crew/ranks.h"

/* Did a launcher such as mpirun start this process? */
launcher launched_by(void);
/* Ends all ranks, with this exit status. */
_Noreturn void launched_end_all(const ranks *r, gcast_status status);
/* The cannot_start of a crew_task. */
void launched_cannot_start(void);

#endif
