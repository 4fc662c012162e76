/* C-launches: what must hold of kernels that launch kernels, and of their children ("Launches" in docs/model.md). It
 * repeats the rules and shares no code with the engine on purpose. */
#ifndef SIMULATE_CHECK_LAUNCHES_CHILD_RULES_H
#define SIMULATE_CHECK_LAUNCHES_CHILD_RULES_H

#include "simulate/check/run_order.h"

/* Does each child name a parent that was called before it, and is it what that parent launches? All other checks rely
 * on that. */
gcast_status check_children_listed(const gcast_run *run, gcast_error *err);
/* Of a run whose blocks are recorded. */
gcast_status check_children(const gcast_run *run, const check_orders *orders, gcast_error *err);

#endif
