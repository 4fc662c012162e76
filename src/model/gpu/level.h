/* Priorities of streams as levels of a GPU. */
#ifndef MODEL_GPU_LEVEL_H
#define MODEL_GPU_LEVEL_H

#include "gridcast/gpu.h"

/* 0 is the highest. CUDA's priorities go down from 0, the lowest; one that the GPU does not have is the nearest. */
static inline int level_of_priority(const gcast_gpu *gpu, int priority)
{
    int lowest = gpu->priority_levels - 1;
    return priority >= 0 ? lowest : priority <= -lowest ? 0 : lowest + priority;
}

#endif
