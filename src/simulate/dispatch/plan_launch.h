#ifndef SIMULATE_DISPATCH_PLAN_LAUNCH_H
#define SIMULATE_DISPATCH_PLAN_LAUNCH_H

#include "simulate/state/state.h"

/* How many blocks a launch of o has: those of the kernel, or the workers of its plan. */
uint64_t plan_launch_blocks(const sim *s, uint32_t o);
/* o, which has a plan, enters the EE queue for the first time. */
void plan_launch_start(sim *s, uint32_t o);
/* Gives a launch slots for its workers; false without memory. */
bool plan_launch_take_slots(sim *s, uint32_t o);
/* All workers of the launch have ended, the last one at the last end of o: o is complete then, or jobs are missing. */
void plan_launch_ends(sim *s, uint32_t o);
/* EVENT_INCOMPLETE or EVENT_REPAIR of o. */
void plan_launch_event(sim *s, uint32_t o, uint32_t kind);
/* o is complete, or is simulated no further. */
void plan_launch_free(sim *s, uint32_t o);

#endif
