/* The waits of programmatic kernels, and of blocks that wait after their start. */
#ifndef SIMULATE_EXPLAIN_PROGRAMMATIC_WAITS_H
#define SIMULATE_EXPLAIN_PROGRAMMATIC_WAITS_H

#include "simulate/explain/explanation.h"
#include "simulate/explain/run_index.h"

/* When all blocks of the kernel i had triggered or ended. */
int64_t explain_triggered_ns(const gcast_run *run, const run_index *x, size_t i);

/* Adds the wait from *start until the subject is the head of its stream, if the kernel before it was not complete
 * then. */
void explain_overlap(explain *e, const gcast_run *run, size_t subject, int64_t *start);
/* Adds the times in which a block of the subject runs, waits, and runs on to its end. */
void explain_block_run(explain *e, const gcast_run *run, size_t subject, const gcast_block *b, int64_t start);
/* Adds the wait from the end of the subject's last block until it is complete. */
void explain_in_order(explain *e, const gcast_run *run, size_t subject);

#endif
