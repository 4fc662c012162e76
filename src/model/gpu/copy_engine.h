/* Which copy engine an operation needs. */
#ifndef MODEL_GPU_COPY_ENGINE_H
#define MODEL_GPU_COPY_ENGINE_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Copies to the host have engine 1 where there are two or more; every other copy, and memset, has engine 0. */
static inline int copy_engine_of(const gcast_gpu *gpu, const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H && gpu->copy_engines > 1;
}

#endif
