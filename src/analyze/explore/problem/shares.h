/* Blocks of many shapes as shares of slots, wherever they are placed (docs/explore.md, "Shares"). */
#ifndef ANALYZE_EXPLORE_PROBLEM_SHARES_H
#define ANALYZE_EXPLORE_PROBLEM_SHARES_H

#include "analyze/explore/problem/problem.h"

/* Sets the share of every kernel, and the number of the EE's slots. False: with a refusal, or without memory. */
bool explore_make_shares(explore_problem *p);

#endif
