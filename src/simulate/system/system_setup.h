/* The tables of an execution: jobs up to the horizon, and the first releases. */
#ifndef SIMULATE_SYSTEM_SYSTEM_SETUP_H
#define SIMULATE_SYSTEM_SYSTEM_SETUP_H

#include "simulate/system/state.h"

#define SYSTEM_MAX_JOBS 10000000

/* jobs[] lives in `memory`. An error where the horizon is too far, or there is none. */
gcast_status system_setup(system_sim *x, arena *memory);
void system_setup_free(system_sim *x);

#endif
