#ifndef SIMULATE_CHECK_LAUNCHES_BLOCK_RESTS_H
#define SIMULATE_CHECK_LAUNCHES_BLOCK_RESTS_H

#include "gridcast/run.h"

/* C-launches: blocks that waited for their children, and no others, have a rest, which enters when they are complete.
 */
gcast_status check_rests(const gcast_run *run, gcast_error *err);

#endif
