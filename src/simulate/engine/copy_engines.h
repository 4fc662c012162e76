/* Copy engines and their channels. */
#ifndef SIMULATE_ENGINE_COPY_ENGINES_H
#define SIMULATE_ENGINE_COPY_ENGINES_H

#include "simulate/engine/state.h"

/* Makes the channels of all copy engines; false without memory. */
bool copy_channels_init(sim *s);

/* o was called: it gets its engine and channel. */
void copy_call(sim *s, uint32_t o);
/* C1: o enters the queue of its channel. */
void copy_enter(sim *s, uint32_t o);
/* Does o end now? No, if its end was moved, or was handled before. */
bool copy_ends(sim *s, uint32_t o);
/* o is complete: its engine is idle. */
void copy_done(sim *s, uint32_t o);
/* C2, C3: idle engines take the next copies. */
void copy_dispatch(sim *s);
/* When an engine can next start a copy that waits; INT64_MAX: none waits. */
int64_t copy_next_time(const sim *s);

#endif
