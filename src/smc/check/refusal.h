/* Why a kernel is not transformed. */
#ifndef SMC_CHECK_REFUSAL_H
#define SMC_CHECK_REFUSAL_H

#include "smc/state.h"

/* Why the kernel cannot be transformed, with the place in the text; returns GCAST_INPUT. */
gcast_status smc_refuse(const smc_kernel *k, ptx_place at, gcast_error *err, const char *format, ...)
    GCAST_PRINTF(4, 5);

#endif
