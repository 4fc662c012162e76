/* What deadlines that are met rest on: latencies and other numbers of the GPU that nobody has measured; and what those
 * that are open lack. */
#ifndef CLI_ANALYZE_CONDITIONS_CONDITIONS_H
#define CLI_ANALYZE_CONDITIONS_CONDITIONS_H

#include "cli/command.h"
#include "cli/output/progress.h"
#include "gridcast/analyze.h"

/* Finds the limits up to which the deadlines are met. On failure the answer is freed, and the error printed. */
gcast_status conditions_find(gcast_answer **answer, const gcast_analyze_options *options);
/* Where deadlines are open: finds how much of their time kernels may take so that all are met. */
gcast_status conditions_find_durations(gcast_answer *answer, const gcast_analyze_options *options, progress *shown);
/* Of an answer whose deadlines are all met: GCAST_CONDITION, and a line, where they are so on a condition. */
gcast_status conditions_status(const gcast_answer *a);

#endif
