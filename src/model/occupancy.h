/* Carveouts (docs/model.md): the shared memory that an SM must have for a kernel, and that it gets. */
#ifndef MODEL_OCCUPANCY_H
#define MODEL_OCCUPANCY_H

#include "gridcast/workload.h"

typedef struct smem_sizes {
    int min_bytes;    /* required: the smallest size that limits the kernel's blocks no more than the largest */
    int chosen_bytes; /* preferred: the size that the first block sets on an idle SM */
} smem_sizes;

smem_sizes carveout_of(const gcast_limits *limits, const gcast_op *op);
/* Can an SM have less than the largest size? Only if a kernel leaves the choice to the driver. */
bool carveout_matters(const gcast_gpu *gpu, const gcast_workload *w);

#endif
