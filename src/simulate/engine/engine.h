#ifndef SIMULATE_ENGINE_ENGINE_H
#define SIMULATE_ENGINE_ENGINE_H

#include "simulate/state/state.h"

/* Runs a simulation that has been set up to its end, or to its first failure. */
void engine_loop(sim *s);

#endif
