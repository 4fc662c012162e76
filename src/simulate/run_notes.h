/* Notes of a run: where the simulation differs from the workload, and what its author may not know. */
#ifndef SIMULATE_RUN_NOTES_H
#define SIMULATE_RUN_NOTES_H

#include "gridcast/simulate.h"

/* Notes that are known before the run. */
gcast_status notes_add(gcast_run *run, const gcast_simulate_options *options, gcast_error *err);
/* After the run: notes on operations with jobs that no worker came to. */
gcast_status notes_add_repairs(gcast_run *run, gcast_error *err);
/* After the run: dependencies on operations that were not called before, without a wait; and how many there are. */
gcast_status notes_add_unawaited(gcast_run *run, gcast_error *err);
size_t notes_count_unawaited(const gcast_run *run);
/* After the run: does the GPU fall behind? `options` had no horizon. */
gcast_status notes_add_overload(gcast_run *run, gcast_error *err);
/* After the run: how many launches the pool of the GPU refused. */
gcast_status notes_add_refused(gcast_run *run, gcast_error *err);

#endif
