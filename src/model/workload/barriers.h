/* Barriers of host threads: which operations meet, and whether hosts can wait for each
 * other for ever. */
#ifndef MODEL_WORKLOAD_BARRIERS_H
#define MODEL_WORKLOAD_BARRIERS_H

#include "gridcast/workload.h"

/* Numbers the barriers from 0 on, whatever numbers the workload gives them: of[op] for every op
 * that is one. False without memory. */
bool barriers_number(const gcast_workload *w, uint32_t *of, size_t *count);

/* Do the calls of all hosts return? GCAST_INPUT names an op that never ends, whatever durations
 * and releases are. *may_wait: some may never return, as which calls are skipped depends on times. */
gcast_status barriers_check(const gcast_workload *w, bool *may_wait, gcast_error *err);

#endif
