/* The oracle: docs/model.md a second time, written for clarity and not for speed. It is independent of the simulator on
 * purpose and shares only the public structs with it; where the simulator updates its state, the oracle computes
 * everything again at every time. */
#ifndef PROPERTY_ORACLE_H
#define PROPERTY_ORACLE_H

#include "base/arena.h"
#include "gridcast/gridcast.h"

typedef struct oracle_result {
    gcast_run_op *ops;        /* always with their blocks */
    size_t op_count;          /* of ops: those that hosts call */
    size_t child_count;       /* of children and rests, which are behind these */
    gcast_child *children;    /* by child */
    gcast_launch_stats stats; /* of launches; without those of the pool, of waits in queues and for resources */
    const gcast_gpu *gpu;     /* with the partition taken */
    int connections;          /* as in gcast_run */
    int64_t horizon_ns;       /* as in gcast_run */
    int64_t end_ns;           /* as in gcast_run */
    gcast_hang hang;          /* as in gcast_run, where it hangs */
    bool hangs;               /* it does */
    bool too_small;           /* only the size of its shared memory kept a block from an SM */
    bool done_early;          /* a copy to the host was delayed by d2h_end_ns although it needed only a part of its last
                                 nanosecond */
    arena memory;             /* holds all of it */
} oracle_result;

/* `gpu` NULL: the workload's. On failure there is nothing to free. */
gcast_status oracle_run(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                        oracle_result *out, gcast_error *err);
void oracle_free(oracle_result *r);

/* Does a block of this kernel fit on an SM with nothing on it? */
bool oracle_fits_empty(const gcast_gpu *gpu, const gcast_op *kernel);

#endif
