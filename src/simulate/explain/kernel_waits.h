/* The waits of kernels in the EE queue. */
#ifndef SIMULATE_EXPLAIN_KERNEL_WAITS_H
#define SIMULATE_EXPLAIN_KERNEL_WAITS_H

#include "simulate/explain/explanation.h"

/* Adds the waits of a kernel from its entry to the goal; false without memory. *critical: the block that ended last, if
 * the goal is the end. */
bool explain_blocks(explain *e, const gcast_run *run, size_t subject, explain_goal goal, int64_t *critical);

#endif
