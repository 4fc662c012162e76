/* Say where a prediction hangs by a few nanoseconds. */
#ifndef CLI_RUN_TIMING_RACES_H
#define CLI_RUN_TIMING_RACES_H

#include "cli/command.h"

#define RACES_OPTION                                                                                                   \
    {                                                                                                                  \
        "races", 0, "N", "look for races in N simulations more (default 8; 0: do not)"                                 \
    }

/* Has it so few blocks that a few simulations more take no time? */
bool races_quick(const gcast_run *run);
/* Look for races as --races says, and add what is found to the run's notes. */
gcast_status races_from_args(const args *a, const gcast_gpu *gpu, const gcast_simulate_options *options,
                             gcast_run *run);

#endif
