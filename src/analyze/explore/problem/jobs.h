/* From a workload to the jobs that method explore searches. */
#ifndef ANALYZE_EXPLORE_PROBLEM_JOBS_H
#define ANALYZE_EXPLORE_PROBLEM_JOBS_H

#include "analyze/explore/problem/problem.h"

/* Sets the jobs up to window_ns, their streams and queues, and the times of the GPU. False: with a refusal or a
 * status. */
bool explore_make_jobs(explore_problem *p);
/* call_ties.c: sets call_index of every job. False without memory. */
bool explore_order_calls(explore_problem *p);
/* The place in a stream of its first job that is not before `job` in the order of all jobs; its job_count: none. */
uint32_t explore_stream_find(const explore_stream *stream, uint32_t job);

#endif
