/* What a search for a mapping found: analyzed in full, told, and written. */
#ifndef CLI_SYSTEM_MAPPING_MAP_FOUND_H
#define CLI_SYSTEM_MAPPING_MAP_FOUND_H

#include "analyze/mapping/mapping_search.h"
#include "analyze/system/system_analysis.h"
#include "cli/args.h"
#include "cli/system/opened_system.h"

typedef struct map_found_options {
    const sys_analyze_options *options; /* of the analysis in full */
    const sys_analyze_options *quick;   /* of those of the search */
    const char *model;                  /* file for the model with its new mapping; NULL: none */
    bool is_complete;                   /* all items of the search are done */
} map_found_options;

/* The best mapping, with the fewest changes; the system's own where an analysis in full does not show it to be better.
 * The status is that of the answer. Errors are printed. */
gcast_status map_found_tell(const args *a, const opened_system *o, map_search *s, const map_found_options *f);

#endif
