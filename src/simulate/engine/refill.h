/* Shortcuts of the event loop while blocks of the head fit nowhere. */
#ifndef SIMULATE_ENGINE_REFILL_H
#define SIMULATE_ENGINE_REFILL_H

#include "simulate/engine/state.h"

/* Starts blocks of the head where others end, one end after the other, before `until`. */
void refill_until(sim *s, int64_t until);

/* Skips waves of a kernel that is alone. `next`: when anything else may happen. */
void waves_skip(sim *s, int64_t next);

#endif
