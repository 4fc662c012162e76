/* gridcast smc --coverage: did every job run, once, and where it was planned? */
#ifndef CLI_SMC_COVERAGE_PRINT_H
#define CLI_SMC_COVERAGE_PRINT_H

#include "cli/smc/state.h"

/* Reads the marks and prints what they say; r->plan is the plan. GCAST_NO where a job is missing, repeated or on
 * another SM than planned. Errors are printed. */
gcast_status smc_coverage(const smc_request *r);

#endif
