/* Bursts: jobs that may arrive in so many orders that exploring them takes too long. Their work bounds them instead. */
#ifndef ANALYZE_EXPLORE_INTERVALS_BURST_H
#define ANALYZE_EXPLORE_INTERVALS_BURST_H

#include "analyze/explore/intervals/interval_state.h"

/* Sets burst_end and work_before of all jobs. False without memory; no status is set. */
bool interval_find_bursts(interval_search *q);
/* Makes q->successor, the state after the burst that begins with the first job left in s. False: there is no burst, or
 * its jobs are to be explored. True with a refusal: there is no time left. */
bool interval_bound_burst(interval_search *q, interval_state *s);

#endif
