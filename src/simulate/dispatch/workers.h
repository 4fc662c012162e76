#ifndef SIMULATE_DISPATCH_WORKERS_H
#define SIMULATE_DISPATCH_WORKERS_H

#include "simulate/state/state.h"

/* The next worker of o is dispatched as the group g. Returns when it releases its resources; TOURNAMENT_OUT: when it
 * finds no further job. */
int64_t worker_dispatch(sim *s, uint32_t o, uint32_t g);
/* G3: all workers of o have been dispatched. */
void workers_dispatched(sim *s, uint32_t o);
/* Workers whose jobs end before `until`, and before resources are released, take further jobs. */
void workers_until(sim *s, int64_t until);
/* Workers whose jobs end now take further jobs. */
void workers_now(sim *s);

#endif
