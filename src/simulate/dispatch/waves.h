#ifndef SIMULATE_DISPATCH_WAVES_H
#define SIMULATE_DISPATCH_WAVES_H

#include "simulate/state/state.h"

/* Skip waves of a kernel that is alone. `next`: when anything else may happen. */
void waves_skip(sim *s, int64_t next);

#endif
