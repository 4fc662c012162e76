/* What cannot be transformed soundly. */
#ifndef SMC_CHECK_CHECK_H
#define SMC_CHECK_CHECK_H

#include "smc/state.h"

/* GCAST_INPUT, with the line and the reason, if the kernel relies on something that a transformed one does not have. */
gcast_status smc_check(smc_kernel *k, gcast_error *err);

#endif
