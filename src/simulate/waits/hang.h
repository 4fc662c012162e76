/* A simulation in which blocks wait for something that never happens: what is left of it when nothing happens any more.
 */
#ifndef SIMULATE_WAITS_HANG_H
#define SIMULATE_WAITS_HANG_H

#include "simulate/waits/state.h"

/* Nothing happens any more. Is an operation left that is not complete, in a workload whose blocks wait? */
bool hang_found(const sim *s);
/* The run hangs: says so in it, and when, and what is left; before blocks are handed to the run. False without memory.
 */
bool hang_record(sim *s, gcast_run *run);

#endif
