/* Which jobs of tasks method explore searches, and whether they stand for all. */
#ifndef ANALYZE_EXPLORE_PROBLEM_WINDOW_H
#define ANALYZE_EXPLORE_PROBLEM_WINDOW_H

#include "analyze/explore/problem/problem.h"

/* Sets window_ns, repeat_start_ns and hyperperiod_ns. False: with a refusal. */
bool explore_set_window(explore_problem *p);
/* After a search: do the jobs that were searched stand for all that there ever are? Adds an assumption to the
 * analysis. False: with a refusal, or without memory. */
bool explore_stands_for_all(explore_problem *p);

#endif
