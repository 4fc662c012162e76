#ifndef SIMULATE_DISPATCH_REFILL_H
#define SIMULATE_DISPATCH_REFILL_H

#include "simulate/state/state.h"

/* Blocks of the head start where others end, one end after the other, before `until`. */
void refill_until(sim *s, int64_t until);

#endif
