/* Executions of a system, by which its answer is checked before it leaves the program: a deadline that is missed in one
 * is missed, whatever a bound leaves open, and nothing may pass its bound. */
#ifndef ANALYZE_SYSTEM_LATE_LATE_RUNS_H
#define ANALYZE_SYSTEM_LATE_LATE_RUNS_H

#include "model/system/system_answer.h"

/* Simulates with the longest times, then with drawn times and jitter, as often as takes about as
 * long as 100,000 jobs; with drawn
 * offsets too where the analysis ignored them; where there is time for more than two, or there are limits from below,
 * also once with the shortest times. Fills seen_ns, seen_in and tried, and the verdict of tasks that miss their
 * deadlines and of limits that are broken. A response, limit or latency of a chain that is longer than its bound is
 * GCAST_INTERNAL. */
gcast_status system_look_for_late(sys_answer *a, bool ignore_offsets, gcast_error *err);

#endif
