/* How many registers a thread of a kernel takes as ptxas compiles it, estimated
 * from the PTX: which values are live where, in the order of the text and in an
 * order that hides latencies, and how ptxas allocates registers. docs/exec.md
 * says how far off the estimate is. */
#ifndef SIMT_REGISTERS_REGISTERS_H
#define SIMT_REGISTERS_REGISTERS_H

#include "simt/program/program.h"

/* Of the kernel of a program, with all that it calls, on a GPU of compute capability `sm` (90). */
gcast_status registers_estimate(const program *p, int sm, uint32_t *out, gcast_error *err);

/* How far the estimate is off at most for nine of ten kernels, by tests/data/ptxas/registers.txt. */
uint32_t registers_margin(int sm);

/* What ptxas may use. */
typedef struct register_levels {
    uint32_t max;       /* registers per thread */
    uint32_t level[64]; /* numbers of registers up to which the occupancy stays the same, rising */
    uint32_t levels;    /* how many there are */
} register_levels;
register_levels registers_levels(const ptx_function *kernel, int sm);

#endif
