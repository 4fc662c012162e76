#ifndef SIMULATE_CHECK_WAITS_HANG_RULES_H
#define SIMULATE_CHECK_WAITS_HANG_RULES_H

#include "simulate/check/run_order.h"

/* C-hang: a run that says so hangs: what is left can never go on, and it says what that is. Blocks that could start are
 * left to C-idle. */
gcast_status check_hang(const gcast_run *run, const check_orders *o, gcast_error *err);

#endif
