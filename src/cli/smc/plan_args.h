/* The plan that the options of `gridcast smc` describe. */
#ifndef CLI_SMC_PLAN_ARGS_H
#define CLI_SMC_PLAN_ARGS_H

#include "cli/smc/state.h"

/* Sets r->plan, and r->gpu where --gpu is given; both stay NULL where nothing about a plan is. Contradictions are
 * GCAST_USAGE. Errors are printed. */
gcast_status smc_plan_read(smc_request *r);

/* The mapping of a plan; contradictions are GCAST_USAGE. Errors are printed. */
gcast_status smc_mapping_read(const args *a, gcast_plan_options *o);

/* Loads the GPU of --gpu, and gives its number of SMs, or that of --sms. `user` needs it, for messages. Errors are
 * printed. */
gcast_status smc_sms_read(smc_request *r, const char *user, uint32_t *sms);

/* The option about making a plan that is given first; NULL: none is. */
const char *smc_plan_option(const args *a);

#endif
