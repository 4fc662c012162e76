/* analyze --residency: will it hang? */
#ifndef CLI_RESIDENCY_RESIDENCY_TELL_H
#define CLI_RESIDENCY_RESIDENCY_TELL_H

#include "cli/args.h"
#include "gridcast/workload.h"

#define RESIDENCY_OPTION                                                                                               \
    {                                                                                                                  \
        "residency", 0, NULL, "do blocks that wait for blocks ever hang?"                                              \
    }

/* Options that go with --residency. Errors are printed, here and below. */
gcast_status residency_check_args(const args *a);
/* GCAST_OK where no schedule hangs, GCAST_CONDITION where none does on a condition, else GCAST_NO. `gpu` is a partition
 * where the workload has one. */
gcast_status residency_tell(const args *a, const gcast_workload *w, const gcast_gpu *gpu);

#endif
