/* Barriers of host threads: which ops belong to one barrier, and whether hosts can wait for each other for ever. */
#ifndef MODEL_WORKLOAD_BARRIERS_H
#define MODEL_WORKLOAD_BARRIERS_H

#include "gridcast/workload.h"

/* Numbers the barriers from 0 on: number[op] is set for every op that is one. False without memory. */
bool barriers_number(const gcast_workload *w, uint32_t *number, size_t *count);

/* Do the calls of all hosts return? GCAST_INPUT names an op that never ends, for any durations and releases. *may_wait:
 * some calls may never return, depending on which calls are skipped. */
gcast_status barriers_check(const gcast_workload *w, bool *may_wait, gcast_error *err);

#endif
