/* Makes the jobs that method explore searches from a workload. */
#ifndef ANALYZE_EXPLORE_EXPLORE_JOBS_H
#define ANALYZE_EXPLORE_EXPLORE_JOBS_H

#include "analyze/explore/problem.h"

/* Sets the jobs up to window_ns, their streams and queues, and the times of the GPU. False: with a refusal or a
 * status. */
bool explore_make_jobs(explore_problem *p);

/* The index in the stream's jobs of the first one with number `job` or higher; job_count: none. */
uint32_t explore_stream_find(const explore_stream *stream, uint32_t job);

#endif
