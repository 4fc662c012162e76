/* gridcast analyze --map: the search for a mapping of an AMALTHEA model, on all cores and ranks. */
#ifndef CLI_SYSTEM_MAPPING_MAP_SYSTEM_H
#define CLI_SYSTEM_MAPPING_MAP_SYSTEM_H

#include "analyze/system/system_analysis.h"
#include "cli/args.h"

/* `options` are of the analysis that is reported. Errors are printed. */
gcast_status map_system(const args *a, const sys_analyze_options *options);

#endif
