/* Kernels with a plan: their launches, and the workers that do their jobs. */
#ifndef SIMULATE_ENGINE_WORKERS_H
#define SIMULATE_ENGINE_WORKERS_H

#include "simulate/engine/state.h"

/* How many blocks a launch of o has: those of the kernel, or the workers of its plan. */
uint64_t plan_launch_blocks(const sim *s, uint32_t o);
/* o, which has a plan, enters the EE queue for the first time. */
void plan_launch_start(sim *s, uint32_t o);

/* EVENT_INCOMPLETE or EVENT_REPAIR of o. */
void plan_launch_event(sim *s, uint32_t o, uint32_t kind);
/* o is complete, or is simulated no further. */
void plan_launch_free(sim *s, uint32_t o);

/* Dispatches the next worker of o as the group g. Returns when it releases its resources; TOURNAMENT_OUT: once it finds
 * no further job, which is not known yet. */
int64_t worker_dispatch(sim *s, uint32_t o, uint32_t g);
/* G3: all workers of o have been dispatched. */
void workers_dispatched(sim *s, uint32_t o);
/* Goes on with workers whose jobs end before `until`, and before the next release of resources. */
void workers_until(sim *s, int64_t until);
/* Workers whose jobs end now take further jobs. */
void workers_now(sim *s);

#endif
