/* The launch files of a co-run: read, their kernels made SM-centric, and how many workers an SM holds. */
#ifndef CLI_SMC_CORUN_CORUN_LAUNCHES_H
#define CLI_SMC_CORUN_CORUN_LAUNCHES_H

#include "cli/smc/corun/state.h"

/* Sets the kernels, c->launches, and kernels and max_workers of c->options. Errors are printed. */
gcast_status corun_launches_read(corun_request *c);
void corun_launches_free(corun_request *c);

#endif
