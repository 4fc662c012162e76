/* Times of limits in an execution of a system: written from their definitions alone. */
#ifndef TESTS_SUPPORT_LIMIT_ORACLE_H
#define TESTS_SUPPORT_LIMIT_ORACLE_H

#include "model/system_answer.h"
#include "model/system_run.h"

/* The least and the longest that was seen of what the execution shows in full; least INT64_MAX: nothing. */
typedef struct limit_seen {
    int64_t least, most;
    int64_t waited; /* a source was followed by no target for so long; INT64_MIN: none */
} limit_seen;

/* Nothing where a job never ends. What data is read and written at any time is where `seed` says. The run has slices
 * where the limit is on steps. */
limit_seen limit_seen_in_run(const sys_run *run, const sys_limit *l, gcast_communication how, uint64_t seed);

#endif
