/* Where a run is written, and which of its parts are shown. */
#ifndef CLI_RUN_OUTPUTS_H
#define CLI_RUN_OUTPUTS_H

#include "cli/args.h"
#include "cli/simulated.h"

#define REPORT_OPTIONS                                                                                                 \
    {"output", 'o', "FILE", "also to .json .csv .trace.json .svg .png .html"},                                         \
        {"examiner-logs", 0, "DIR", "also write logs for the examiner's viewers"},                                     \
        {"force", 'f', NULL, "overwrite files"}, {"json", 0, NULL, "print gridcast.run/1 instead of the table"},       \
        {"csv", 0, NULL, "print CSV instead of the table"},                                                            \
        {"blocks", 0, NULL, "list the blocks, too, in JSON and CSV"},                                                  \
        {"no-blocks", 0, NULL, "pictures, traces: show operations, not blocks"},                                       \
        {"sm-range", 0, "A-B", "pictures: show only these SMs"},                                                       \
        {"time-range", 0, "A-B", "pictures: show only this time, such as 1ms-2.5ms"},                                  \
        {"no-fold", 0, NULL, "pictures: give every SM a row of its own"},                                              \
        {"width", 0, "PIXELS", "pictures: their width (default 1000)"},                                                \
    {                                                                                                                  \
        "quiet", 'q', NULL, "print no table"                                                                           \
    }

/* A file of -o. */
typedef struct run_file {
    const char *path;
    gcast_format format;
    bool gzip;
} run_file;

typedef struct run_outputs {
    run_file files[MAX_OPTIONS]; /* as given */
    size_t file_count;
    const char *logs;             /* --examiner-logs, a folder; NULL */
    bool force;                   /* files are overwritten */
    gcast_report_options report;  /* what reports show */
    gcast_format print;           /* the format on standard output */
    bool quiet;                   /* nothing is printed there */
    recorded_blocks needs_blocks; /* which blocks of the run the formats need */
} run_outputs;

/* Reads and checks the options, before anything is simulated. Errors are printed. */
gcast_status run_outputs_from_args(const args *a, run_outputs *o);
/* Writes every -o and prints the run. */
gcast_status run_outputs_write(const run_outputs *o, const gcast_run *run);
/* GCAST_NO if a job of a task ended after its deadline, or the run hangs; else GCAST_OK. */
gcast_status run_deadlines_status(const gcast_run *run);

#endif
