/* The checks of the path of children from their calls to the EE queue. */
#ifndef SIMULATE_CHECK_CHILD_PATH_H
#define SIMULATE_CHECK_CHILD_PATH_H

#include "simulate/check/run_order.h"

/* C-launches: each child passes its launch overhead, its stream, the pool and its hardware queue when it should, and
 * enters the EE queue in its turn. overhead_ns[]: by child, the overhead of its launch without the service time. */
gcast_status check_child_paths(const gcast_run *run, const check_orders *orders, const int64_t *overhead_ns,
                               gcast_error *err);

#endif
