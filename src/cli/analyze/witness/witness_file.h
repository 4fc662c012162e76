/* The search for late executions, and --witness, which writes one of them as a workload or a picture. */
#ifndef CLI_ANALYZE_WITNESS_WITNESS_FILE_H
#define CLI_ANALYZE_WITNESS_WITNESS_FILE_H

#include "cli/args.h"
#include "cli/output/progress.h"

/* For a command's table of options. */
#define WITNESS_OPTIONS                                                                                                \
    {"search", 0, "TIME", "try late executions for TIME (auto: 2s); 0: none"},                                         \
        {"witness", 0, "FILE", "the worst miss, as .json .svg .png .pdf .html"},                                       \
        {"op", 0, "LABEL", "with --witness: the latest execution of LABEL"},                                           \
    {                                                                                                                  \
        "force", 'f', NULL, "overwrite FILE"                                                                           \
    }

/* Checks the options before long work. Errors are printed, here and below. */
gcast_status witness_check(const args *a, const gcast_workload *w);
/* Searches where that is asked for, or a deadline is open and `is_auto`, and adds what it saw to the answer. *witness
 * is NULL where it did not search. */
gcast_status witness_search(const args *a, gcast_answer *answer, bool is_auto, const gcast_analyze_options *options,
                            progress *shown, gcast_witness **witness);
/* Writes the file of --witness. Without it, says which command shows the worst miss. */
gcast_status witness_tell(const args *a, const gcast_answer *answer, const gcast_witness *witness);

#endif
