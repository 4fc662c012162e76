/* The end of a launch: which jobs ran, and a repair of those that did not. */
#ifndef MEASURE_SMC_LAUNCH_END_H
#define MEASURE_SMC_LAUNCH_END_H

#include "measure/smc/on_gpu.h"

/* Waits for one launch of `launched` workers, after which the marks are of it alone. *outcome is set in any case;
 * its coverage is NULL on failure. */
gcast_status smc_finish(smc_on_gpu *k, uint32_t launched, const gcast_smc_launch_arguments *a,
                        gcast_smc_outcome *outcome, gcast_error *err);

#endif
