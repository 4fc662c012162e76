/* gridcast smc --corun: how several kernels share the SMs of a GPU. */
#ifndef PAPERS_CORUN_CORUN_COMMAND_H
#define PAPERS_CORUN_CORUN_COMMAND_H

#include "cli/smc/plan_args.h"

/* Reads the launch files, searches how the kernels share the SMs, prints that, and writes plans. Errors are printed. */
gcast_status smc_corun(smc_request *r);

#endif
