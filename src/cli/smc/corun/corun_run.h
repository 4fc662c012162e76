/* gridcast smc --corun: how several kernels share the SMs of a GPU. */
#ifndef CLI_SMC_CORUN_CORUN_RUN_H
#define CLI_SMC_CORUN_CORUN_RUN_H

#include "cli/smc/state.h"

/* Reads the launch files, searches, prints, and writes plans. Errors are printed. */
gcast_status smc_corun(smc_request *r);

#endif
