/* What a launcher takes that does its items itself, and those of the levels below. The checker adds them up one by one
 * on purpose, where the workload has sums. */
#ifndef SIMULATE_CHECK_LAUNCHES_LOOP_TIME_H
#define SIMULATE_CHECK_LAUNCHES_LOOP_TIME_H

#include "gridcast/launches.h"

/* Nanoseconds that do not overflow. */
typedef unsigned __int128 wide_ns;

wide_ns loop_time_ns(const gcast_launches *l, uint64_t launcher);

#endif
