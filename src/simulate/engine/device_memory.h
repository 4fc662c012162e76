/* What mallocs take of the GPU's memory during a simulation. A free gives back what the last malloc of its host took
 * that has not been given back, as stream_action of the examiner does. */
#ifndef SIMULATE_ENGINE_DEVICE_MEMORY_H
#define SIMULATE_ENGINE_DEVICE_MEMORY_H

#include "simulate/state/state.h"

/* False without memory. */
bool memory_init(sim *s);
/* A malloc is called; where it does not fit, the simulation fails. */
void memory_take(sim *s, uint32_t o);
/* A free has returned. */
void memory_release(sim *s, uint32_t o);

#endif
