/* Which copy engine an operation needs. */
#ifndef MODEL_GPU_COPY_ENGINE_H
#define MODEL_GPU_COPY_ENGINE_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Further ones are not used. */
#define COPY_ENGINES 3

/* Copies to the host have engine 1 where there are two or more. Copies on the device and memsets, which are kernels of
 * the driver and wait for no other copies, have engine 2 where there are three or more. All else has engine 0. */
static inline int copy_engine_of(const gcast_gpu *gpu, const gcast_op *op)
{
    if (op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H)
        return gpu->copy_engines > 1;
    bool is_inside = op->kind == GCAST_KIND_MEMSET || (op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2D);
    return is_inside && gpu->copy_engines >= COPY_ENGINES ? COPY_ENGINES - 1 : 0;
}

#endif
