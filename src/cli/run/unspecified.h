/* Notes where a prediction depends on what the workload does not specify: the carveouts of its
 * kernels, and whether its streams wait for the NULL stream. */
#ifndef CLI_RUN_UNSPECIFIED_H
#define CLI_RUN_UNSPECIFIED_H

#include "gridcast/run.h"
#include "gridcast/simulate.h"

/* For each of these the workload is simulated again with the other choice, and a note is added to the run where an
 * operation ends at another time. `gpu` and `options` are those that `run` was simulated with. Errors are printed. */
gcast_status unspecified_note(const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run);

#endif
