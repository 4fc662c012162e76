/* Notes of a run: what of the workload is simulated in another way than it says, and what its author may not know. */
#ifndef SIMULATE_NOTES_H
#define SIMULATE_NOTES_H

#include "gridcast/simulate.h"

gcast_status notes_add(gcast_run *run, const gcast_simulate_options *options, gcast_error *err);
/* Notes on operations with jobs that no worker came to, after the run. */
gcast_status notes_add_repairs(gcast_run *run, gcast_error *err);
/* Operations that others are after and that were not called before them; and how many such pairs there are. */
gcast_status notes_add_unawaited(gcast_run *run, gcast_error *err);
size_t notes_count_unawaited(const gcast_run *run);
/* How many launches the pool of the GPU refused. */
gcast_status notes_add_refused(gcast_run *run, gcast_error *err);

#endif
