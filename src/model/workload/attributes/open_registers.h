/* Kernels of which the workload does not say how many registers a thread has. None are counted for them, so more blocks
 * may fit on an SM than on a real GPU. */
#ifndef MODEL_WORKLOAD_ATTRIBUTES_OPEN_REGISTERS_H
#define MODEL_WORKLOAD_ATTRIBUTES_OPEN_REGISTERS_H

#include <limits.h>

#include "gridcast/workload.h"

#define REGISTERS_OPEN_NOWHERE INT_MAX

/* Is it a kernel without a number of registers? "registers": 0 is one: then none are to be counted. */
bool op_leaves_registers_open(const gcast_op *op);
/* So many registers a thread may have in all such kernels, and their blocks still share this GPU as if they had none.
 * REGISTERS_OPEN_NOWHERE: there are no such kernels, or none that can be launched has more. */
int workload_open_registers(const gcast_workload *w, const gcast_gpu *gpu);
/* The most registers per thread with which a launch of this kernel is possible. */
int op_most_registers(const gcast_op *op, const gcast_gpu *gpu);

#endif
