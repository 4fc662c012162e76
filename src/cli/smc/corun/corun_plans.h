/* Plans of a co-run: one per kernel, each on SMs of its own, in files that are numbered. */
#ifndef CLI_SMC_CORUN_CORUN_PLANS_H
#define CLI_SMC_CORUN_CORUN_PLANS_H

#include "cli/smc/corun/state.h"

/* Can the files of --save-plan be written, and do the mapping options go together? Asked before the search. Errors are
 * printed. */
gcast_status corun_plans_check(const corun_request *c);
/* Writes them. Kernel 1 has the SMs from 0 on, kernel 2 those after them, and so on. Errors are printed. */
gcast_status corun_plans_write(const corun_request *c);

#endif
