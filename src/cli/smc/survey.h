/* gridcast smc without -o: which kernels of a module can be made SM-centric, and why others cannot. */
#ifndef CLI_SMC_SURVEY_H
#define CLI_SMC_SURVEY_H

#include "cli/smc/state.h"

/* Prints a table, or gridcast.smc/1 with --json. GCAST_NO where a kernel cannot. Errors are printed. */
gcast_status smc_survey(const smc_request *r);

#endif
