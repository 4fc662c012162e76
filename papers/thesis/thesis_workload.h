/* The kernels of a model as a workload of the thesis (docs/thesis.md), for `analyze --method thesis`. */
#ifndef PAPERS_THESIS_THESIS_WORKLOAD_H
#define PAPERS_THESIS_THESIS_WORKLOAD_H

#include "amalthea/model.h"
#include "gridcast/error.h"
#include "gridcast/workload.h"
#include "model/system_given.h"

/* All runnables with a grid (custom property GridSize or gridcast.grid, or in `given`) are launched once at 0, each in
 * a stream of its own: in the order in which tasks call them, or in that of the file where no task calls any.
 * *periods_ns has for each op the period of the task that calls it, 0 where none is known; free it with free(). `given`
 * may be NULL.
 */
gcast_status amalthea_thesis(const am_model *m, const gcast_gpu *gpu, const sys_given *given, gcast_workload **w,
                             int64_t **periods_ns, gcast_error *err);

#endif
