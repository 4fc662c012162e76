/* Who makes the calls of a run: one thread for each host of the workload, and
 * the calling thread for operations without a host, at their release. */
#ifndef MEASURE_SESSION_CALLERS_H
#define MEASURE_SESSION_CALLERS_H

#include "measure/session/clock_offset.h"
#include "measure/session/session.h"

/* Makes every call and waits until the GPU is done; fills in release, call, return,
 * skipped and launch of `ops`, on the host's clock from the run's zero. */
gcast_status callers_run(session *s, gcast_run_op *ops, alignment *aligned, int64_t *zero, gcast_error *err);

#endif
