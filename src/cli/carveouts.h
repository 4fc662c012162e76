/* Say where a prediction hangs by what a workload does not say: the carveouts of its kernels. */
#ifndef CLI_CARVEOUTS_H
#define CLI_CARVEOUTS_H

#include "cli/command.h"

/* Simulate again with CUDA's default attributes for all kernels of which the workload does not say, and note it if
 * an operation ends elsewhere. `gpu` and `options` are those that gave `run`. */
gcast_status carveouts_note(const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run);

#endif
