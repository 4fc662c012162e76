/* What the searches of method explore have found so far. */
#ifndef ANALYZE_EXPLORE_PROBLEM_RESULTS_H
#define ANALYZE_EXPLORE_PROBLEM_RESULTS_H

#include "analyze/explore/problem/problem.h"
#include "base/minmax.h"

/* Results of which nothing is known, for the jobs that there are. False without memory; no status is set. */
bool explore_make_results(explore_problem *p);

/* The job has a response from `min` to `max` in some executions, and ends at `end_max` or before. */
static inline void explore_add_result(explore_problem *p, uint32_t job, int64_t min, int64_t max, int64_t end_max)
{
    uint32_t op = p->jobs[job].op;
    p->min_response[op] = min_i64(p->min_response[op], min);
    p->max_response[op] = max_i64(p->max_response[op], max);
    p->max_end[job] = max_i64(p->max_end[job], end_max);
}

#endif
