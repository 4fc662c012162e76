#ifndef SIMULATE_CHECK_BLOCKS_H
#define SIMULATE_CHECK_BLOCKS_H

#include "simulate/check/run_order.h"

/* C-blocks, C-room, C-mask, C-priority, C-idle, C-grids, C-switch, C-size of a run with its blocks. */
gcast_status check_blocks(const gcast_run *run, const check_orders *orders, gcast_error *err);

#endif
