/* When nodes of graphs see their edges. */
#ifndef SIMULATE_CHECK_WAITS_EDGE_TIMES_H
#define SIMULATE_CHECK_WAITS_EDGE_TIMES_H

#include "simulate/check/run_order.h"

/* When operation i, which is a node with edges, sees the last of them; CHECK_NEVER. *exact: else it is no sooner than
 * that, as blocks are not recorded. */
int64_t check_edges_seen_ns(const gcast_run *run, const check_orders *o, size_t i, bool *exact);

#endif
