/* The event loop of a simulation, and its tables. */
#ifndef SIMULATE_ENGINE_ENGINE_H
#define SIMULATE_ENGINE_ENGINE_H

#include "simulate/engine/state.h"

/* Runs a simulation that has been set up to its end, or to its first failure. */
void engine_loop(sim *s);

/* Sets up a simulation that has its workload, GPU, options and operations; false without memory. */
bool setup_init(sim *s, int connections);
void setup_free(sim *s);

#endif
