/* When copies started, and when programmatic kernels were complete. The event before a copy gives a lower bound only:
 * the copy may still wait for its stream or its engine, and an engine runs one copy at a time. */
#ifndef MEASURE_SESSION_COPY_TIMES_H
#define MEASURE_SESSION_COPY_TIMES_H

#include "gridcast/run.h"

/* The end of a copy or memset in a graph that nothing tells: it seems to end when it starts. */
#define COPY_END_UNSEEN INT64_MIN

/* Moves the end of a copy in a graph to the start of a kernel that is after it, if that is earlier. Then moves the
 * start of every copy and memset to the end of the operation before it in its stream, or of those that it is after in
 * its graph, if that is later; and that of a copy between host and device to the end of the last copy of its direction
 * that ended before it. A programmatic
 * kernel is complete when its blocks have ended, and what is before it in its stream is complete: its end is moved
 * there. */
gcast_status copies_correct_times(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err);

#endif
