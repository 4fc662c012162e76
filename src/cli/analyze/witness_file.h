/* The search for late executions, and --witness, which writes one of them as a workload or a picture. */
#ifndef CLI_ANALYZE_WITNESS_FILE_H
#define CLI_ANALYZE_WITNESS_FILE_H

#include "cli/args.h"
#include "gridcast/analyze.h"

/* Options for a command's table. */
#define WITNESS_OPTIONS                                                                                                \
    {"search", 0, "TIME", "search late executions for TIME (auto: 2s; 0: no)"},                                        \
        {"witness", 0, "FILE", "write the worst miss: .json .svg .png .pdf .html"},                                    \
        {"op", 0, "LABEL", "with --witness: the latest execution of LABEL"},                                           \
    {                                                                                                                  \
        "force", 'f', NULL, "overwrite FILE"                                                                           \
    }

/* Checks the options before long work. Errors are printed, here and below. */
gcast_status witness_check(const args *a, const gcast_workload *w);
/* Which late executions are searched for. *is_wanted: an option asks for a search, or `is_auto`. */
gcast_status witness_search(const args *a, const gcast_workload *w, bool is_auto, gcast_search_options *search,
                            bool *is_wanted);
/* Writes the file of --witness; without that option says which command shows the worst miss. */
gcast_status witness_tell(const args *a, const gcast_answer *answer);

#endif
