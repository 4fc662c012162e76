/* Calls a kernel in a stream, or adds it to a graph; and counts the blocks that have started, for blocks that wait for
 * them. */
#ifndef MEASURE_SESSION_KERNEL_CALL_H
#define MEASURE_SESSION_KERNEL_CALL_H

#include "gridcast/run.h"
#include "measure/driver/driver.h"

/* How blocks of a kernel from waits.ptx wait; waits.ptx has the layout. */
typedef struct block_waits {
    int64_t trigger_ns, wait_ns; /* after the start of a block; GCAST_NEVER */
    uint64_t grid_wait;          /* 1: blocks wait for the kernels before theirs; else 0 */
    CUdeviceptr started;         /* the counter that blocks raise when they start; 0: none */
    CUdeviceptr list;            /* pairs of a counter's address and the value to wait for */
    uint64_t list_count;         /* of pairs */
    int64_t give_up_ns;          /* the longest that a block waits */
    CUdeviceptr gave_up;         /* a word that is set when a block gives up waiting */
} block_waits;
_Static_assert(sizeof(block_waits) == 64, "waits.ptx says so");

typedef struct kernel_call {
    CUfunction function;
    uint32_t grid[3], block[3], cluster[3];
    unsigned shared;                /* bytes of dynamic shared memory */
    bool cooperative, programmatic; /* as in a gcast_op */
    CUdeviceptr records, durations; /* as in kernels.ptx */
    int64_t duration_ns;            /* of all blocks, if `durations` is 0 */
    block_waits waits;              /* used only with a function from waits.ptx */
} kernel_call;

gcast_status kernel_call_make(const driver *d, const kernel_call *k, CUstream stream, gcast_error *err);
/* Adds it to a graph, without dependencies. */
gcast_status kernel_call_add(const driver *d, const kernel_call *k, CUgraph graph, CUgraphNode *node, gcast_error *err);

/* Blocks may wait until all blocks of other kernels have started. The GPU has a counter for every operation, which the
 * blocks of a kernel raise at their start, and a list of counters for every operation that waits. */

typedef struct start_counters {
    CUdeviceptr words; /* by operation: its counter; then the word that is set when a block gives up; 0: no op waits */
    CUdeviceptr lists; /* of all operations that wait */
    size_t count;      /* of operations */
    size_t *first;     /* by operation: its first entry in the lists; one more at the end */
    int64_t give_up_ns;
} start_counters;

/* Does any block wait for the starts of this op's blocks? */
bool start_counters_waited_for(const gcast_workload *w, size_t op);
/* Makes counters and lists if an op waits. */
gcast_status start_counters_open(start_counters *c, const device *v, const gcast_workload *w, const gcast_run_op *ops,
                                 size_t count, int64_t give_up_ns, CUstream stream, gcast_error *err);
/* Sets all counters to 0, in the stream, and clears the mark of blocks that gave up. */
gcast_status start_counters_reset(const start_counters *c, const device *v, CUstream stream, gcast_error *err);
/* The waits of the blocks of an operation that executes this op. */
block_waits start_counters_of(const start_counters *c, const gcast_op *op, size_t operation);
void start_counters_close(start_counters *c, const device *v);

#endif
