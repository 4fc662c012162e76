/* A kernel that holds SMs, so that other kernels find no room there. */
#ifndef MEASURE_SMC_HOLD_H
#define MEASURE_SMC_HOLD_H

#include "measure/smc/state.h"

void hold_close(holder *h, const device *v);

#endif
