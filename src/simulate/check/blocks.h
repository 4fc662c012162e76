#ifndef SIMULATE_CHECK_BLOCKS_H
#define SIMULATE_CHECK_BLOCKS_H

#include "simulate/check/run_order.h"

struct block_walk;

/* C-blocks, C-room, C-mask, C-priority, C-idle, C-grids, C-switch, C-size of a run with its blocks. `other_walk` goes
 * through the run in place of the walk for runs without clusters; NULL: there are none. */
gcast_status check_blocks(const gcast_run *run, const check_orders *orders, void (*other_walk)(struct block_walk *),
                          gcast_error *err);

#endif
