/* The tables of kernels that launch kernels: their memory, and what a run gets of them. */
#ifndef SIMULATE_LAUNCH_LAUNCH_TABLES_H
#define SIMULATE_LAUNCH_LAUNCH_TABLES_H

#include "simulate/launch/state.h"

/* Sets sim.launch where the workload has launches. demand_of[]: by op of the workload and then by child kernel, the
 * index in sim.demands. False without memory. */
bool launch_tables_init(sim *s, const uint32_t *demand_of);
void launch_tables_free(sim *s);
/* Gives a run its children, sums and series, and sim.ops in the order of the run; false without memory. */
bool launch_tables_to_run(sim *s, gcast_run *run);

#endif
