/* What mallocs take of the GPU's memory, and whether it is there. A free gives back what the
 * last malloc of its host took that has not been given back, as stream_action of the examiner does. */
#ifndef SIMULATE_ENGINE_DEVICE_MEMORY_H
#define SIMULATE_ENGINE_DEVICE_MEMORY_H

#include "simulate/engine/state.h"

/* Is there a malloc, or are there mallocs together, that cannot succeed in any execution? */
gcast_status memory_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* May there be executions, of a workload without frees, in which one cannot? */
bool memory_may_fail(const gcast_workload *w, const gcast_gpu *gpu);

bool memory_init(sim *s);
void memory_take(sim *s, uint32_t o); /* a malloc is called; fails the simulation */
void memory_give(sim *s, uint32_t o); /* a free has returned */

#endif
