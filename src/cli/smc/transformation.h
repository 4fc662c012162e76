/* gridcast smc -o, --save-plan: writes the SM-centric module, and the plan. */
#ifndef CLI_SMC_TRANSFORMATION_H
#define CLI_SMC_TRANSFORMATION_H

#include "cli/smc/plan_args.h"

/* Can the files be written, and are they different ones? Errors are printed. */
gcast_status smc_outputs_check(const smc_request *r);
/* Makes and writes both; nothing is written if something is refused. GCAST_NO if some kernels stay as they are. Errors
 * are printed. */
gcast_status smc_transform(const smc_request *r);

#endif
