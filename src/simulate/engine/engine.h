#ifndef SIMULATE_ENGINE_ENGINE_H
#define SIMULATE_ENGINE_ENGINE_H

#include "simulate/engine/state.h"

/* s has its workload, GPU, options and operations; false without memory. */
bool engine_init(sim *s, int connections);
void engine_loop(sim *s);
void engine_free(sim *s);

#endif
