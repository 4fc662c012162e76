/* Finds loops in which a thread may wait for another block. */
#ifndef SMC_SPIN_WAITS_H
#define SMC_SPIN_WAITS_H

#include "smc/transformed_kernel.h"

/* Can the instruction return a value that another thread wrote meanwhile? Atomics that add a constant other than zero
 * do not count. */
bool smc_sees_others(const ptx_instruction *in);

/* Finds such a loop in a function: *found is an instruction for whose result the loop waits, or NULL. calls_see_others:
 * functions that it calls have instructions with smc_sees_others. */
gcast_status smc_waits_find(const ptx_graph *g, bool calls_see_others, const ptx_instruction **found, gcast_error *err);

#endif
