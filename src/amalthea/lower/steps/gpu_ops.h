/* Makes copies and kernels of the steps of a task that may run on the GPU. */
#ifndef AMALTHEA_LOWER_STEPS_GPU_OPS_H
#define AMALTHEA_LOWER_STEPS_GPU_OPS_H

#include "amalthea/lower/lowering.h"

/* Fills in the GPU's part of the steps of a task, if it is a candidate and the shapes of its kernels are known. Steps
 * that do nothing are removed. */
gcast_status gpu_ops_make(lowering *l, size_t task, sys_step *steps, size_t *count);

#endif
