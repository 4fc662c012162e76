/* Executions that check the answer for a system: a deadline or limit that an execution breaks is missed, even where
 * bounds leave it open, and no time may exceed its bound. */
#ifndef ANALYZE_SYSTEM_LATE_RUNS_H
#define ANALYZE_SYSTEM_LATE_RUNS_H

#include "model/system_answer.h"

/* Simulates the system with the longest times, then with random times and jitter, and random offsets where the analysis
 * ignored them. If there is time for more than two executions, or a limit has a lower bound, one has the shortest
 * times. All executions together take about as long as 100,000 jobs. Fills seen_ns, seen_in and tried, and the verdicts
 * of missed deadlines and broken limits. A response, a limit or a latency beyond its bound is GCAST_INTERNAL. */
gcast_status system_look_for_late(sys_answer *a, bool ignore_offsets, gcast_error *err);

#endif
