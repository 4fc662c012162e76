/* How long blocks took, by logs. */
#ifndef FILES_EXAMINER_LOG_BLOCK_DURATIONS_H
#define FILES_EXAMINER_LOG_BLOCK_DURATIONS_H

#include "files/examiner/log/state.h"

/* Of each block of a kernel, the median over all runs, the lower of two; at least 1. The caller frees it; NULL without
 * memory. */
int64_t *log_block_durations(const log_set *set, size_t benchmark, size_t kernel);

#endif
