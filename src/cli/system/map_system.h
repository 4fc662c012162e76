/* gridcast analyze --map: the search for a mapping of an AMALTHEA model, on all cores and ranks. */
#ifndef CLI_SYSTEM_MAP_SYSTEM_H
#define CLI_SYSTEM_MAP_SYSTEM_H

#include "cli/args.h"
#include "gridcast/system.h"

#define MAP_OPTIONS                                                                                                    \
    {"map", 0, "WHAT", "find a mapping: all, or core,gpu,priority,wait"},                                              \
        {"objective", 0, "OBJECTIVE", "responses (default), chain, chain:NAME or slack"},                              \
        {"tries", 0, "N", "about how many mappings to try (default: 200000)"},                                         \
        {"search-time", 0, "TIME", "stop the search after TIME"},                                                      \
        {"seed", 0, "N", "random seed of the search (default: 1)"},                                                    \
        {"islands", 0, "N", "mappings to start from (default: 16)"},                                                   \
        {"threads", 0, "N", "threads of the search (default: all cores)"},                                             \
    {                                                                                                                  \
        "stop-after", 0, "N", "stop after N parts; the same command continues"                                         \
    }

/* Without --map its other options are errors. */
gcast_status map_args_refuse(const args *a);
/* Searches, and reports the best mapping. `given` is for the analysis that is reported. Errors are printed. */
gcast_status map_system(const args *a, const gcast_system_analyze_options *given);

#endif
