/* The call of a kernel: in a stream, or as a node of a graph. */
#ifndef MEASURE_LAUNCH_KERNEL_CALL_H
#define MEASURE_LAUNCH_KERNEL_CALL_H

#include "measure/driver/driver.h"

/* What blocks of a kernel do that was compiled from waits.ptx, where the layout is told. */
typedef struct block_waits {
    int64_t trigger_ns, wait_ns; /* after the start of a block; GCAST_NEVER */
    uint64_t grid_wait;          /* its blocks wait for the kernels before it: 1, else 0 */
    CUdeviceptr started;         /* the counter that starts raise; 0: none */
    CUdeviceptr list;            /* pairs of a counter's address and what it must come to */
    uint64_t list_count;         /* of these */
    int64_t give_up_ns;          /* how long a block waits at most */
    CUdeviceptr gave_up;         /* a word that says that some block did not wait any longer */
} block_waits;
_Static_assert(sizeof(block_waits) == 64, "waits.ptx says so");

typedef struct kernel_call {
    CUfunction function;
    uint32_t grid[3], block[3], cluster[3];
    unsigned shared;                /* bytes of dynamic shared memory */
    bool cooperative, programmatic; /* as in a gcast_op */
    CUdeviceptr records, durations; /* as in kernels.ptx */
    int64_t duration_ns;            /* of all blocks, where there are no durations */
    block_waits waits;              /* counts only with a function from waits.ptx */
} kernel_call;

gcast_status kernel_call_make(const driver *d, const kernel_call *k, CUstream stream, gcast_error *err);
/* Adds it to a graph, after no other node. */
gcast_status kernel_call_add(const driver *d, const kernel_call *k, CUgraph graph, CUgraphNode *node, gcast_error *err);

#endif
