/* What the kernels of child_kernels.ptx write. All times are of the GPU's clock, in nanoseconds. */
#ifndef MEASURE_DEVRT_CHILD_KERNELS_H
#define MEASURE_DEVRT_CHILD_KERNELS_H

#include <stdint.h>

/* cudaErrorLaunchPendingCountExceeded: the pool of pending launches is full. */
#define CHILD_POOL_FULL 69

/* A launch by a kernel, and its child. */
typedef struct launch_record {
    int64_t call_ns;   /* when the call began */
    int64_t return_ns; /* when it returned */
    int64_t start_ns;  /* of the child; 0: it did not run */
    int64_t end_ns;    /* of the child */
    int32_t error;     /* of the call; 0: it was accepted */
    uint32_t padding;  /* 0 */
} launch_record;

/* What launch_chain writes besides. */
typedef struct chain_state {
    uint32_t released;  /* 1: children that wait may end */
    uint32_t padding;   /* 0 */
    int64_t release_ns; /* when they were released */
    uint32_t calls;     /* made */
    uint32_t reserved;  /* 0 */
} chain_state;

_Static_assert(sizeof(launch_record) == 40, "child_kernels.ptx counts in records of 40 bytes");
_Static_assert(sizeof(chain_state) == 24, "child_kernels.ptx writes 24 bytes");

/* The lanes of the warps that show how latency grows: 1, 2, 4, ... 32. The records of a round follow each other, so
 * that those of `lanes` lanes start at record lanes - 1. */
#define CHILD_LANE_COUNTS 6
#define CHILD_ROUND_RECORDS 63

#endif
