/* Refuses kernels that cannot be transformed soundly. */
#ifndef SMC_CHECK_H
#define SMC_CHECK_H

#include "smc/transformed_kernel.h"

/* GCAST_INPUT, with line and reason, if the kernel relies on something that a transformed kernel does not have. */
gcast_status smc_check(smc_kernel *k, gcast_error *err);

#endif
