/* Loops in which a thread may wait for what another block does. */
#ifndef SMC_CHECK_SPIN_WAITS_H
#define SMC_CHECK_SPIN_WAITS_H

#include "smc/state.h"

/* Can it return what another thread wrote meanwhile? Of atomics, those that add a number other than zero do not count.
 */
bool smc_sees_others(const ptx_instruction *in);

/* Finds such a loop in a function: *found is an instruction whose result the loop waits for, or NULL.
 * calls_see_others: functions that it may call have instructions of this kind. */
gcast_status smc_waits_find(const ptx_graph *g, bool calls_see_others, const ptx_instruction **found, gcast_error *err);

#endif
