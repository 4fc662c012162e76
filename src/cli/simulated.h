/* The workload of a command line, simulated: options of the simulation, which blocks are recorded, and notes on races
 * and on what the workload leaves open. */
#ifndef CLI_SIMULATED_H
#define CLI_SIMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"
#include "gridcast/run.h"

#define RACES_OPTION                                                                                                   \
    {                                                                                                                  \
        "races", 0, "N", "look for races in N simulations more (default 8; 0: do not)"                                 \
    }

#define SIMULATE_OPTIONS                                                                                               \
    {"horizon", 0, "TIME", "release tasks before TIME (default: hyperperiod + offsets)"},                              \
        {"durations", 0, "WHICH", "of ranges: max (default), min, or random:SEED"},                                    \
        {"placement", 0, "PLACEMENT", "random[:SEED]: blocks go to random SMs where they fit"},                        \
        {"as-measured", 0, NULL, "kernels sleep as those of measure do, and end on ticks"},                            \
    {                                                                                                                  \
        "merge-processes", 0, NULL, "take several processes as one (GPUs time-slice them)"                             \
    }

/* Which blocks of a run are recorded. */
typedef enum {
    BLOCKS_NONE,
    BLOCKS_ALL,
    BLOCKS_IN_RANGE, /* of --time-range */
    BLOCKS_FOR_PAGE, /* as BLOCKS_IN_RANGE; none if there are so many that a page shows means instead */
} recorded_blocks;

/* A run and what it was made from, so that it can be simulated again. */
typedef struct simulated {
    gcast_workload *w;              /* the workload */
    gcast_gpu *gpu;                 /* the GPU that it ran on */
    gcast_simulate_options options; /* without progress */
    gcast_run *run;                 /* refers to the workload */
} simulated;

/* --sm-range and --time-range: sets first_sm, last_sm, from_ns and to_ns if they are given. Errors are printed. */
gcast_status ranges_from_args(const args *a, gcast_report_options *o);
/* max, min, random or random:SEED. An error is printed. */
gcast_status durations_from_text(const char *value, gcast_simulate_options *o);
/* Simulates the workload of the first operand. With `with_notes` it also looks for timing races and for what the
 * workload leaves open, and adds what it finds to the run's notes. Errors and notes are printed. */
gcast_status simulated_from_args(const args *a, recorded_blocks blocks, bool with_notes, simulated *s);
/* The each_block of gcast_report_options, whose data is a `simulated`: simulates it again, and gives each block to
 * `take`. */
gcast_status simulated_each_block(void *data, bool (*take)(void *, const gcast_started_block *, size_t), void *taker,
                                  gcast_error *err);
void simulated_free(simulated *s);

#endif
