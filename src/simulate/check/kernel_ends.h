#ifndef SIMULATE_CHECK_KERNEL_ENDS_H
#define SIMULATE_CHECK_KERNEL_ENDS_H

#include "simulate/check/run_order.h"

/* When its last block ended. */
int64_t last_block_end_ns(const gcast_run_op *r);
/* C-blocks: a kernel is complete when its last block has ended and all its children and rests are complete. */
gcast_status check_kernel_ends(const gcast_run *run, const check_orders *orders, gcast_error *err);

#endif
