/* What programmatic kernels and blocks that wait wait for. */
#ifndef SIMULATE_EXPLAIN_ATTRIBUTES_PROGRAMMATIC_WAITS_H
#define SIMULATE_EXPLAIN_ATTRIBUTES_PROGRAMMATIC_WAITS_H

#include "simulate/explain/state.h"

/* The wait from *start until the subject is the head of its stream, if the kernel before it was not complete then. Else
 * nothing is added. */
void explain_overlap(explain *e, const gcast_run *run, size_t subject, int64_t *start);
/* A block of the subject runs, waits, and runs on to its end. */
void explain_block_run(explain *e, const gcast_run *run, size_t subject, const gcast_block *b, int64_t start);
/* The wait from the end of its last block until it is complete. */
void explain_in_order(explain *e, const gcast_run *run, size_t subject);

#endif
