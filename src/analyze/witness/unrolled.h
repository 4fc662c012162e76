#ifndef ANALYZE_WITNESS_UNROLLED_H
#define ANALYZE_WITNESS_UNROLLED_H

#include "analyze/witness/state.h"

/* An execution as a workload in which nothing is open: an op that runs once for each operation, in the order of calls.
 * Operations without a host that are released after end_ns are left out. places[i], of as many as the frame has
 * operations, is the operation that op i stands for. The workload has no GPU. */
gcast_status unrolled_create(const frame *f, const execution *e, int64_t end_ns, gcast_workload **w, size_t *places,
                             gcast_error *err);

#endif
