/* --races: notes where a prediction depends on a few nanoseconds. */
#ifndef CLI_RUN_TIMING_RACES_H
#define CLI_RUN_TIMING_RACES_H

#include "cli/args.h"

#define RACES_OPTION                                                                                                   \
    {                                                                                                                  \
        "races", 0, "N", "look for races in N simulations more (default 8; 0: do not)"                                 \
    }
#define QUICK_MAX_BLOCKS 100000 /* a run with no more blocks is simulated again without being asked */

/* Looks for races as --races says, and adds those found to the run's notes. Errors are printed. */
gcast_status races_from_args(const args *a, const gcast_gpu *gpu, const gcast_simulate_options *options,
                             gcast_run *run);

#endif
