/* Kernels on the GPU: kernels.ptx, compiled by the driver once for each body, number
 * of registers and carveout that the workload asks for. */
#ifndef MEASURE_DRIVER_KERNELS_H
#define MEASURE_DRIVER_KERNELS_H

#include "base/vec.h"
#include "measure/driver/device.h"

typedef struct variant {
    gcast_body body;
    gcast_op_carveout carveout;
    int asked, registers; /* a thread: as the workload says (0: any), and as compiled */
    int64_t shared;       /* the most that a launch of it asks for */
    CUmodule module;
    CUfunction function;
} variant;

typedef struct kernels {
    VEC(variant) variants;
    CUfunction clock;
} kernels;

/* Variant 0 is the plain spin. */
gcast_status kernels_open(kernels *k, const device *v, gcast_error *err);
/* The variant for this op, compiled where it is new: its index. */
gcast_status kernels_find(kernels *k, const device *v, const gcast_op *op, size_t *index, gcast_error *err);
/* Let launches have the shared memory that kernels_find has seen. */
gcast_status kernels_share(const kernels *k, const device *v, gcast_error *err);
void kernels_close(kernels *k, const device *v);

#endif
