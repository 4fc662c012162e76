/* When blocks that wait may go on, and when kernels have triggered. */
#ifndef SIMULATE_EXPLAIN_TIMES_OPEN_TIMES_H
#define SIMULATE_EXPLAIN_TIMES_OPEN_TIMES_H

#include "simulate/explain/index/run_index.h"

/* The operation called `places` before i in its stream, where a launch of a graph is one, by its last node; SIZE_MAX.
 */
size_t open_times_before(const gcast_run *run, const run_index *x, size_t i, int places);
/* The operation that a programmatic kernel overlaps with, or whose end its blocks wait for; SIZE_MAX: there is none. */
size_t open_times_primary(const gcast_run *run, const run_index *x, size_t i);
/* The operation for whose end blocks of i wait, of those whose end is seen after *time the first, and when that is; or
 * SIZE_MAX. */
size_t open_times_next_end(const gcast_run *run, const run_index *x, size_t i, int64_t *time);
/* The same of kernels of which all blocks must have started. */
size_t open_times_next_start(const gcast_run *run, size_t i, int64_t *time);
/* When all blocks of the kernel i had triggered or ended. */
int64_t open_times_triggered(const gcast_run *run, const run_index *x, size_t i);

#endif
