/* When copies started: an engine takes them one after another, and the event before
 * a copy may come while it still waits for its engine. */
#ifndef MEASURE_COPIES_H
#define MEASURE_COPIES_H

#include "gridcast/run.h"

/* Moves the start of every copy between host and device to the end of the copy of
 * its direction that ended last before it, where that is later. */
gcast_status copies_settle(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err);

#endif
