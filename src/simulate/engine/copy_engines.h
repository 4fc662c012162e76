#ifndef SIMULATE_ENGINE_COPY_ENGINES_H
#define SIMULATE_ENGINE_COPY_ENGINES_H

#include "simulate/state/state.h"

/* o was called. */
void copy_call(sim *s, uint32_t o);
/* Does o end now, and for the first time? Ends that were moved do not count. */
bool copy_ends(sim *s, uint32_t o);
/* o is complete: its engine is idle. */
void copy_done(sim *s, uint32_t o);
/* C2, C3: idle engines take what waits. */
void copy_dispatch(sim *s);
/* When an engine can start what waits for it; INT64_MAX: nothing waits. */
int64_t copy_next_time(const sim *s);

#endif
