/* Carveouts (docs/model.md): the sizes that the shared memory of an SM may have, and which
 * of them a kernel takes. */
#ifndef MODEL_GPU_CARVEOUT_H
#define MODEL_GPU_CARVEOUT_H

#include "gridcast/workload.h"

typedef struct carveout {
    int least;  /* where blocks of it are on an SM, its shared memory is not smaller */
    int chosen; /* that an empty SM is set to by its first block */
} carveout;

carveout carveout_of(const gcast_limits *limits, const gcast_op *op);
/* Can an SM have any size but the largest, that is, has a kernel CUDA's default attributes? */
bool carveout_matters(const gcast_gpu *gpu, const gcast_workload *w);

#endif
