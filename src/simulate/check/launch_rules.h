/* C-launches: the rules of kernels that launch kernels, and of their children ("Launches" in docs/model.md). The checks
 * share no code with the engine on purpose. */
#ifndef SIMULATE_CHECK_LAUNCH_RULES_H
#define SIMULATE_CHECK_LAUNCH_RULES_H

#include "simulate/check/run_order.h"

/* Does each child name a parent that was called before it, and does it match what that parent launches? All other
 * checks rely on that. */
gcast_status check_children_listed(const gcast_run *run, gcast_error *err);
/* C-launches of a run whose blocks are recorded. */
gcast_status check_children(const gcast_run *run, const check_orders *orders, gcast_error *err);

#endif
