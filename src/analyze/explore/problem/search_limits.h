/* When a search of method explore gives up: states, memory, time, or the caller stops it. */
#ifndef ANALYZE_EXPLORE_PROBLEM_SEARCH_LIMITS_H
#define ANALYZE_EXPLORE_PROBLEM_SEARCH_LIMITS_H

#include "analyze/explore/problem/problem.h"

#define EXPLORE_DEFAULT_STATES 10000000

static inline uint64_t explore_max_states(const explore_problem *p)
{
    return p->options->max_states ? p->options->max_states : EXPLORE_DEFAULT_STATES;
}

/* May the search go on? `checks` is how often this was asked before; not every call checks all limits. The states
 * take `bytes` of memory now, and `fraction` of the work is done. False: with a refusal. */
bool explore_within_limits(explore_problem *p, uint64_t checks, uint64_t bytes, double fraction);
/* Is there time left? False: with a refusal. */
bool explore_in_time(explore_problem *p);

#endif
