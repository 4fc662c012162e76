/* Carveouts (docs/model.md): which of the sizes that the shared memory of an SM may have a kernel needs. */
#ifndef MODEL_GPU_CARVEOUT_H
#define MODEL_GPU_CARVEOUT_H

#include "gridcast/workload.h"

typedef struct carveout {
    int min_bytes;    /* the minimum that an SM must have to hold the blocks of the kernel */
    int chosen_bytes; /* the size that the first block sets on an idle SM */
} carveout;

carveout carveout_of(const gcast_limits *limits, const gcast_op *op);
/* Can an SM have another size than the largest? Only if a kernel leaves the choice to the driver. */
bool carveout_matters(const gcast_gpu *gpu, const gcast_workload *w);

#endif
