/* Makes the calls of a run: a thread per host of the workload, and the calling thread for operations without a host, at
 * their release. */
#ifndef MEASURE_SESSION_CALLERS_H
#define MEASURE_SESSION_CALLERS_H

#include "measure/session/clock_offset.h"
#include "measure/session/state.h"

/* Makes every call and waits until the GPU is done. Fills in release, call, return, skipped and launch of `ops`, with
 * times relative to *zero_ns of the host's clock. */
gcast_status callers_run(session *s, gcast_run_op *ops, alignment *aligned, int64_t *zero_ns, gcast_error *err);

#endif
