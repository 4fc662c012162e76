/* Times of co-runs, measured on this machine's GPU. */
#ifndef CLI_SMC_CORUN_MEASURED_H
#define CLI_SMC_CORUN_MEASURED_H

#include "cli/smc/corun/state.h"

extern const corun_evaluator corun_measured;

#endif
