/* An AMALTHEA model as a workload: its part on the GPU, or its kernels as the thesis has them. */
#ifndef CLI_SYSTEM_MODEL_WORKLOAD_H
#define CLI_SYSTEM_MODEL_WORKLOAD_H

#include "cli/args.h"
#include "cli/system/system_options.h"

/* Options of `convert` that models have, too. */
extern const option_spec convert_system_shared[];

/* The workload, and its GPU. Releases of its tasks are as far from those of the tasks that start them as an analysis of
 * the whole says. Errors and notes are printed. */
gcast_status model_workload_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu);
/* Kernels that are launched once, and their periods (to be freed), for method thesis. */
gcast_status model_thesis_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu, int64_t **periods);

#endif
