/* Runs in which blocks gave up waiting for others: such a run is one that hangs, as it was when the first block gave
 * up. */
#ifndef MEASURE_LAUNCH_GAVE_UP_H
#define MEASURE_LAUNCH_GAVE_UP_H

#include "model/run.h"

/* Makes a run that hangs of one whose first block gave up at gave_up_ns: what started later has not started, what was
 * not complete then never is, and what was called later is skipped. */
gcast_status gave_up_hang(gcast_run *run, gcast_run_op *ops, gcast_block *blocks, int64_t gave_up_ns,
                          int64_t give_up_ns, gcast_error *err);

#endif
