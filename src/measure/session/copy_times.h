/* When copies started. The event before a copy gives a lower bound only: the copy may still wait for its stream or its
 * engine, and an engine runs one copy at a time. */
#ifndef MEASURE_SESSION_COPY_TIMES_H
#define MEASURE_SESSION_COPY_TIMES_H

#include "gridcast/run.h"

/* Moves the start of every copy and memset to the end of the operation before it in its stream, if that is later; and
 * that of a copy between host and device to the end of the last copy of its direction that ended before it. */
gcast_status copies_correct_starts(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err);

#endif
