/* The workload of a command line, simulated: what is asked for, which blocks are recorded, and the run. */
#ifndef CLI_SIMULATED_H
#define CLI_SIMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"
#include "cli/workload_args.h"
#include "gridcast/report.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"

#define RACES_OPTION                                                                                                   \
    {                                                                                                                  \
        "races", 0, "N", "find races by N simulations (default 8; 0: none)"                                            \
    }

#define SIMULATE_OPTIONS                                                                                               \
    {"horizon", 0, "TIME", "jobs released before TIME (default: hyperperiod)"},                                        \
        {"durations", 0, "WHICH", "of ranges: max (default), min, or random:SEED"},                                    \
        {"placement", 0, "PLACEMENT", "random[:SEED]: random SMs, where blocks fit"},                                  \
        {"as-measured", 0, NULL, "blocks end on clock ticks, like those of measure"},                                  \
    {                                                                                                                  \
        "merge-processes", 0, NULL, "several processes as one (GPUs time-slice them)"                                  \
    }

/* Which blocks of a run are recorded. */
typedef enum {
    BLOCKS_NONE,
    BLOCKS_ALL,
    BLOCKS_IN_RANGE, /* of --time-range */
    BLOCKS_FOR_PAGE, /* as BLOCKS_IN_RANGE; none if there are so many that a page shows means instead */
} recorded_blocks;

/* What is simulated, and how. */
typedef struct simulate_request {
    workload_request workload;
    gcast_simulate_options options; /* without progress, and without blocks to record */
    bool with_warnings;             /* also looks for races and for what the workload leaves open */
    int trials;                     /* for races, as gcast_run_add_warnings takes them */
    recorded_blocks blocks;
    const gcast_report_options *shown; /* the part of the run that is shown; NULL: all of it */
} simulate_request;

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
/* Reads the options of the command line: no blocks are recorded, and no warnings looked for. Errors are printed. */
gcast_status simulate_request_read(const args *a, simulate_request *r);
/* Simulates. Errors and the notes of the run are printed. */
gcast_status simulated_make(const simulate_request *r, simulated *s);
/* The each_block of gcast_report_options, whose data is a `simulated`: simulates it again, and gives each block to
 * `take`. */
gcast_status simulated_each_block(void *data, bool (*take)(void *, const gcast_started_block *, size_t), void *taker,
                                  gcast_error *err);
void simulated_free(simulated *s);

#endif
