/* The search by intervals: starts jobs in every order, on a pool of slots or by shares. */
#ifndef ANALYZE_EXPLORE_INTERVALS_INTERVAL_SEARCH_H
#define ANALYZE_EXPLORE_INTERVALS_INTERVAL_SEARCH_H

#include "analyze/explore/problem.h"

/* Searches and sets the problem's results. False: with a refusal or a status. */
bool explore_by_intervals(explore_problem *p);

#endif
