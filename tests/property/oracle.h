/* The oracle: docs/model.md a second time, written for clarity and not for speed. It is independent of the simulator on
 * purpose and shares only the public structs with it; where the simulator updates its state, the oracle computes
 * everything again at every time. */
#ifndef PROPERTY_ORACLE_H
#define PROPERTY_ORACLE_H

#include "base/arena.h"
#include "gridcast/gridcast.h"

typedef struct oracle_result {
    gcast_run_op *ops; /* with their blocks, always */
    size_t op_count;
    const gcast_gpu *gpu; /* with the partition taken */
    int connections;
    int64_t horizon_ns, end_ns;
    bool too_small;  /* a block did not start somewhere only because of the size of an SM's shared memory */
    bool done_early; /* a copy to the host got d2h_end_ns when its last nanosecond was not all needed */
    arena memory;
} oracle_result;

/* `gpu` NULL: the workload's. On failure there is nothing to free. */
gcast_status oracle_run(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                        oracle_result *out, gcast_error *err);
void oracle_free(oracle_result *r);

/* Does a block of this kernel fit on an SM with nothing on it? */
bool oracle_fits_empty(const gcast_gpu *gpu, const gcast_op *kernel);

#endif
