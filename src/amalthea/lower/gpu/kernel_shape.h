/* The shape of kernels: from what is given, from custom properties, or such that they fill the GPU. */
#ifndef AMALTHEA_LOWER_GPU_KERNEL_SHAPE_H
#define AMALTHEA_LOWER_GPU_KERNEL_SHAPE_H

#include "amalthea/lower/state.h"

typedef struct kernel_shape {
    bool known; /* false: nothing is said about it */
    uint32_t grid[3], block[3];
    int registers;     /* of a thread */
    bool no_registers; /* they are not said, and taken not to limit */
    int64_t shared_bytes;
    sys_ticks ticks;    /* what they are the time of */
    int resident;       /* blocks of it that the GPU holds at once */
    uint64_t blocks;    /* of its grid */
    bool guessed_block; /* the size of a block is that of the thesis, as nothing is said */
} kernel_shape;

/* Of a runnable, or of a task's own code (its properties). An error where it does not fit on the GPU. */
gcast_status kernel_shape_find(lowering *l, const char *name, const am_property *properties, size_t property_count,
                               am_place at, kernel_shape *shape);
/* The kernel as an op whose ticks take `ticks`, and what it takes alone. */
gcast_status kernel_op_make(lowering *l, const char *name, am_place at, const kernel_shape *shape, sys_range ticks,
                            gcast_op *op, sys_range *alone);

#endif
