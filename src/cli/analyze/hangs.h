/* analyze --residency: can blocks that wait for other blocks hang? */
#ifndef CLI_ANALYZE_HANGS_H
#define CLI_ANALYZE_HANGS_H

#include "cli/args.h"
#include "gridcast/workload.h"

#define RESIDENCY_OPTION                                                                                               \
    {                                                                                                                  \
        "residency", 0, NULL, "can blocks that wait for other blocks hang?"                                            \
    }

/* Do all options go with --residency? Errors are printed, here and below. */
gcast_status residency_check_args(const args *a);
/* Prints the answer. GCAST_OK if no schedule hangs, GCAST_CONDITION if none does on a condition, else GCAST_NO. `gpu`
 * is the partition if the workload has one. */
gcast_status residency_tell(const args *a, const gcast_workload *w, const gcast_gpu *gpu);

#endif
