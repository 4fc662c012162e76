/* The sizes that the shared memory of an SM may have. */
#ifndef MODEL_GPU_SMEM_SIZE_H
#define MODEL_GPU_SMEM_SIZE_H

#include "gridcast/gpu.h"

/* The smallest size that is not below `bytes`; the largest where there is none. */
static inline int smem_size_for(const gcast_limits *l, int64_t bytes)
{
    for (int i = 0; i < l->carveouts; i++)
        if (l->carveout[i] >= bytes)
            return l->carveout[i];
    return l->smem_per_sm;
}

#endif
