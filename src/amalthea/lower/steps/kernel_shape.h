/* Finds the shapes of kernels: as given, from custom properties, or such that they fill the GPU. */
#ifndef AMALTHEA_LOWER_STEPS_KERNEL_SHAPE_H
#define AMALTHEA_LOWER_STEPS_KERNEL_SHAPE_H

#include "amalthea/lower/lowering.h"

typedef struct kernel_shape {
    bool known;
    uint32_t grid[3], block[3];
    int registers;     /* of a thread */
    bool no_registers; /* they are not said, and taken not to limit */
    int64_t shared_bytes;
    sys_ticks ticks;
    int resident;       /* blocks of it that the GPU holds at once */
    uint64_t blocks;    /* of its grid */
    bool guessed_block; /* the size of a block is not said: that of the thesis is taken */
} kernel_shape;

/* The properties are those of a runnable, or of a task for its own code. An error where a block does not fit on the
 * GPU.
 */
gcast_status kernel_shape_find(lowering *l, const char *name, const am_property *properties, size_t property_count,
                               am_place at, kernel_shape *shape);
/* Makes an op of a kernel whose ticks take `ticks`, and finds its time alone on the GPU. */
gcast_status kernel_op_make(lowering *l, const char *name, am_place at, const kernel_shape *shape, sys_range ticks,
                            gcast_op *op, sys_range *alone);

#endif
