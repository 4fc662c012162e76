#ifndef SIMULATE_ENGINE_COPY_CHANNELS_H
#define SIMULATE_ENGINE_COPY_CHANNELS_H

#include "simulate/state/state.h"

/* False without memory. */
bool copy_channels_init(sim *s);
/* The call of o settles its channel. */
void copy_join(sim *s, uint32_t o);
/* C1: o enters the queue of its channel. */
void copy_enter(sim *s, uint32_t o);
/* The copy that the engine serves next; one waits. */
uint32_t copy_take(sim *s, int engine);

#endif
