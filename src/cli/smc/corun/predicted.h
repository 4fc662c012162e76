/* Times of a co-run as predicted from what the launch files know of each kernel alone. */
#ifndef CLI_SMC_CORUN_PREDICTED_H
#define CLI_SMC_CORUN_PREDICTED_H

#include "cli/smc/corun/state.h"

extern const corun_evaluator corun_predicted;

#endif
