/* Say where a prediction hangs by what a workload does not say: the carveouts of its kernels, and
 * whether its streams wait for the NULL stream. */
#ifndef CLI_RUN_UNSAID_H
#define CLI_RUN_UNSAID_H

#include "cli/command.h"

/* For each of these simulate again the other way, and note it if an operation ends elsewhere. `gpu` and
 * `options` are those that gave `run`. */
gcast_status unsaid_note(const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run);

#endif
