/* Copies between host and GPU: code that accesses labels and does nothing else. */
#ifndef AMALTHEA_LOWER_GPU_COPY_OP_H
#define AMALTHEA_LOWER_GPU_COPY_OP_H

#include "amalthea/lower/state.h"

/* The step as a copy; `after_kernel`: a kernel of its task is before it. */
gcast_status copy_op_make(lowering *l, size_t task, const raw_step *raw, bool after_kernel, sys_step *step);

#endif
