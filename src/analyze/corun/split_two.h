/* How the SMs are split between two kernels. */
#ifndef ANALYZE_CORUN_SPLIT_TWO_H
#define ANALYZE_CORUN_SPLIT_TWO_H

#include "analyze/corun/state.h"

/* Tries a few splits with the workers of s->start, interpolates the times between them to find the best split, tries
 * it, and does so once more around it. */
gcast_status corun_sample_splits(corun_search *s);

/* Tries every split with the workers of s->start; with the option every_worker, every number of workers on it. */
gcast_status corun_try_all_splits(corun_search *s);

#endif
