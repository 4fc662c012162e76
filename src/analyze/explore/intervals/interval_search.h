/* The search by intervals: over jobs, on a pool of slots or by shares. */
#ifndef ANALYZE_EXPLORE_INTERVALS_INTERVAL_SEARCH_H
#define ANALYZE_EXPLORE_INTERVALS_INTERVAL_SEARCH_H

#include "analyze/explore/problem/problem.h"

/* Sets the results of the problem's jobs. False: with a refusal or a status. */
bool explore_by_intervals(explore_problem *p);

#endif
