/* What a workload may leave open. One choice is assumed then; CUDA's default is the other one. */
#ifndef MODEL_WORKLOAD_ATTRIBUTES_LEFT_OPEN_H
#define MODEL_WORKLOAD_ATTRIBUTES_LEFT_OPEN_H

#include "gridcast/workload.h"

typedef enum {
    LEFT_OPEN_CARVEOUTS, /* of kernels; assumed: the most shared memory */
    LEFT_OPEN_BLOCKING,  /* do streams take part in the rules of the NULL stream? assumed: they do not */
    LEFT_OPEN_CHOICES
} left_open;

/* Does the workload leave it open, and may it matter on this GPU? */
bool workload_leaves_open(const gcast_workload *w, const gcast_gpu *gpu, left_open choice);
/* Makes the other choice wherever it is open. */
void workload_choose_other(gcast_workload *w, left_open choice);

#endif
