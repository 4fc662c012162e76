/* gridcast analyze for AMALTHEA models. */
#ifndef CLI_SYSTEM_ANALYZE_SYSTEM_H
#define CLI_SYSTEM_ANALYZE_SYSTEM_H

#include "cli/args.h"
#include "cli/system/mapping/map_args.h"
#include "cli/system/system_options.h"

#define ANALYZE_SYSTEM_OPTIONS                                                                                         \
    SYSTEM_OPTIONS, CONTEXTS_OPTION, {"chain", 0, "A,B,C", "a chain of tasks, first to last; may repeat"},             \
        {"communication", 0, "DATA", "of chains: direct, implicit (default) or let"},                                  \
        {"reaction", 0, "FROM", "limits on reactions from stimulus (auto) or change"},                                 \
        {"ignore-offsets", 0, NULL, "tasks may have any phase to each other"}, MAP_OPTIONS,                            \
    {                                                                                                                  \
        "all", 0, NULL, "also what worst times are made of, and all steps"                                             \
    }

/* Options of workloads that models have, too. */
extern const option_spec analyze_system_shared[];

/* Do the options fit the method? Errors are printed. */
gcast_status analyze_system_check(const args *a);
gcast_status analyze_system(const args *a);

#endif
