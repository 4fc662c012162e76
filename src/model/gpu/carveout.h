/* Carveouts (docs/model.md): which of the sizes that the shared memory of an SM may have a kernel needs. */
#ifndef MODEL_GPU_CARVEOUT_H
#define MODEL_GPU_CARVEOUT_H

#include "gridcast/workload.h"

typedef struct carveout {
    int least;  /* the minimum that an SM must have to hold its blocks */
    int chosen; /* what an idle SM is set to by its first block */
} carveout;

carveout carveout_of(const gcast_limits *limits, const gcast_op *op);
/* Can an SM have another size than the largest? Only if a kernel leaves the choice to the driver. */
bool carveout_matters(const gcast_gpu *gpu, const gcast_workload *w);

#endif
