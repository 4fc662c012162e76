#ifndef SIMULATE_ENGINE_SETUP_H
#define SIMULATE_ENGINE_SETUP_H

#include "simulate/state/state.h"

/* s has its workload, GPU, options and operations; false without memory. */
bool setup_init(sim *s, int connections);
void setup_free(sim *s);

#endif
