/* Kernels of a model as the thesis sees them (docs/thesis.md): for `analyze --method thesis`. */
#ifndef AMALTHEA_THESIS_WORKLOAD_H
#define AMALTHEA_THESIS_WORKLOAD_H

#include "amalthea/model.h"
#include "gridcast/error.h"
#include "gridcast/workload.h"
#include "model/system/given.h"

/* All runnables whose grid is said (custom property GridSize or gridcast.grid, or beside the model), each launched once
 * at 0 in a stream of its own: in the order in which tasks call them, or in that of the file where no task calls any.
 * *periods_ns has a number for each op, the period of the task that calls it, 0 where none is known; free it with
 * free(). `given` may be NULL. */
gcast_status amalthea_thesis(const am_model *m, const gcast_gpu *gpu, const sys_given *given, gcast_workload **w,
                             int64_t **periods_ns, gcast_error *err);

#endif
