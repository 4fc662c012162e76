/* Blocks that wait until all blocks of kernels have started: a counter on the GPU for every operation, which the blocks
 * of a kernel raise at their start, and for those that wait lists of counters. */
#ifndef MEASURE_LAUNCH_START_COUNTERS_H
#define MEASURE_LAUNCH_START_COUNTERS_H

#include "gridcast/run.h"
#include "measure/driver/device.h"
#include "measure/launch/kernel_call.h"

typedef struct start_counters {
    CUdeviceptr words; /* by operation; behind them the word that says that a block gave up; 0: nobody waits */
    CUdeviceptr lists; /* of all that wait */
    size_t count;      /* of operations */
    size_t *first;     /* by operation: its first entry in the lists; one more at the end */
    int64_t give_up_ns;
} start_counters;

/* Does any block wait for the starts of this op's blocks? */
bool start_counters_waited_for(const gcast_workload *w, size_t op);
/* Nothing is made where no op waits. */
gcast_status start_counters_open(start_counters *c, const device *v, const gcast_workload *w, const gcast_run_op *ops,
                                 size_t count, int64_t give_up_ns, CUstream stream, gcast_error *err);
/* All counters are 0 again, and nobody has given up, once `stream` is done. */
gcast_status start_counters_reset(const start_counters *c, const device *v, CUstream stream, gcast_error *err);
/* What blocks of an operation, which executes this op, do with them. */
block_waits start_counters_of(const start_counters *c, const gcast_op *op, size_t operation);
void start_counters_close(start_counters *c, const device *v);

#endif
