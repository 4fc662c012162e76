#ifndef SIMULATE_CHECK_LAUNCHES_LAUNCHERS_H
#define SIMULATE_CHECK_LAUNCHES_LAUNCHERS_H

#include "gridcast/run.h"

/* C-launches: which launchers launched and which kept their items, and how long blocks took for that. overhead_ns[], by
 * child, gets the overhead of its launch, without the service time. */
gcast_status check_launchers(const gcast_run *run, int64_t *overhead_ns, gcast_error *err);

#endif
