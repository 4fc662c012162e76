/* Kernels on the GPU: kernels.ptx and waits.ptx, compiled by the driver once for each body, number of registers and
 * carveout that the workload asks for, and for blocks that wait or are in clusters. One of them aligns the clocks of
 * GPU and host. */
#ifndef MEASURE_DRIVER_KERNELS_H
#define MEASURE_DRIVER_KERNELS_H

#include "base/vec.h"
#include "measure/driver/driver.h"

/* What a kernel needs beyond its op's body, registers and carveout. */
typedef struct kernel_needs {
    bool waits;    /* its blocks trigger, wait, or are waited for */
    bool clusters; /* it has clusters: compiled for compute capability 9.0 */
} kernel_needs;

typedef struct variant {
    kernel_needs needs;
    gcast_body body; /* what its blocks do */
    gcast_op_carveout carveout;
    int requested_registers; /* registers per thread that the workload asks for; 0: any */
    int registers;           /* per thread, as compiled */
    int64_t shared;          /* the most shared memory that a launch of it asks for */
    CUmodule module;
    CUfunction function; /* the kernel of the module */
} variant;

typedef struct kernels {
    VEC(variant) variants; /* 0 is the plain spin */
    CUfunction clock;      /* the kernel that answers with the time */
} kernels;

gcast_status kernels_open(kernels *k, const device *v, gcast_error *err);
/* Finds the variant for this op, or compiles it. */
gcast_status kernels_find(kernels *k, const device *v, const gcast_op *op, kernel_needs needs, size_t *index,
                          gcast_error *err);
/* Allows launches the shared memory that the ops given to kernels_find need. */
gcast_status kernels_set_shared(const kernels *k, const device *v, gcast_error *err);
void kernels_close(kernels *k, const device *v);

/* The GPU's clock relative to the host's. */
typedef struct alignment {
    int64_t gpu_ns;       /* a time of the GPU's clock */
    int64_t lo_ns, hi_ns; /* times of the host's clock between which it lies */
} alignment;

/* A kernel answers questions with its time through pinned memory, so that the time lies between question and answer:
 * the narrowest interval of many counts. The GPU must be idle. */
gcast_status align_clocks(const device *v, const kernels *k, CUstream stream, alignment *out, gcast_error *err);

#endif
