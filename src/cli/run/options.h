/* What commands that produce a run have in common: how it is simulated, what
 * of it is shown, and where it goes. */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "cli/command.h"

#define SIMULATE_OPTIONS                                                                                               \
    {"horizon", 0, "TIME", "release tasks before TIME (default: hyperperiod + offsets)"},                              \
        {"durations", 0, "WHICH", "of ranges: max (default), min, or random:SEED"},                                    \
        {"as-measured", 0, NULL, "kernels sleep as those of measure do, and end on ticks"},                            \
    {                                                                                                                  \
        "merge-processes", 0, NULL, "take several processes as one (GPUs time-slice them)"                             \
    }

#define REPORT_OPTIONS                                                                                                 \
    {"output", 'o', "FILE", "also write FILE: .json .csv .trace.json (each also .gz) .svg .png .pdf .html .txt"},      \
        {"examiner-logs", 0, "DIR", "also write logs for the examiner's viewers"},                                     \
        {"force", 'f', NULL, "overwrite files"}, {"json", 0, NULL, "print gridcast.run/1 instead of the table"},       \
        {"csv", 0, NULL, "print CSV instead of the table"}, {"blocks", 0, NULL, "with the blocks, in JSON and CSV"},   \
        {"no-blocks", 0, NULL, "pictures, traces: operations only"},                                                   \
        {"sm-range", 0, "A-B", "pictures: these SMs only"},                                                            \
        {"time-range", 0, "A-B", "pictures: this time only, such as 1ms-2.5ms"},                                       \
        {"no-fold", 0, NULL, "pictures: every SM its own row"}, {"width", 0, "PIXELS", "of pictures (default 1000)"},  \
    {                                                                                                                  \
        "quiet", 'q', NULL, "print no table"                                                                           \
    }

/* Which blocks of a run are recorded. */
typedef enum { BLOCKS_NONE, BLOCKS_ALL, BLOCKS_IN_RANGE /* of --time-range */ } run_blocks;

/* Where a run goes, checked before anything is simulated. */
typedef struct run_outputs {
    gcast_report_options report;
    gcast_format print; /* on standard output */
    bool quiet;
    run_blocks needs_blocks;
} run_outputs;

/* A run, and what gave it: enough to simulate again. */
typedef struct simulated {
    gcast_workload *w;
    gcast_gpu *gpu;
    gcast_simulate_options options; /* without progress */
    gcast_run *run;                 /* refers to the workload */
} simulated;

/* The workload of the first operand, simulated as the options say, with a look for races
 * if wanted. Errors and notes are said. */
gcast_status run_from_args(const args *a, run_blocks blocks, bool races, simulated *s);
void simulated_free(simulated *s);
/* --sm-range and --time-range. */
gcast_status run_ranges(const args *a, gcast_report_options *o);
gcast_status run_outputs_from_args(const args *a, run_outputs *o);
/* Write every -o and print the result. */
gcast_status run_outputs_write(const args *a, const run_outputs *o, const gcast_run *run);

/* GCAST_NO where a job of a task ended after its deadline. */
gcast_status run_deadlines(const gcast_run *run);

#endif
