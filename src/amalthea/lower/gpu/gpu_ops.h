/* The steps of a task that may run on the GPU: copies and kernels. */
#ifndef AMALTHEA_LOWER_GPU_GPU_OPS_H
#define AMALTHEA_LOWER_GPU_GPU_OPS_H

#include "amalthea/lower/state.h"

/* Fills in what the steps of a task are on the GPU, if it is a candidate and the shapes of its kernels are known. Steps
 * that do nothing are taken out. */
gcast_status gpu_ops_make(lowering *l, size_t task, sys_step *steps, size_t *count);

#endif
