/* When copies started. The event before a copy tells the earliest time: it may still
 * wait for its stream or its engine, and an engine takes one copy at a time. */
#ifndef MEASURE_SESSION_COPY_TIMES_H
#define MEASURE_SESSION_COPY_TIMES_H

#include "gridcast/run.h"

/* Moves the start of every copy and memset to the end of the operation before it in its
 * stream, where that is later; and that of a copy between host and device to the end of
 * the copy of its direction that ended last before it. */
gcast_status copies_settle(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err);

#endif
