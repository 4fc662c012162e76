/* Where a simulation can fail: without memory, or at a time that is too late. The first failure stays in sim.status. */
#ifndef SIMULATE_STATE_FAILURE_H
#define SIMULATE_STATE_FAILURE_H

#include "simulate/state/state.h"

/* No time of a simulation is later, so that sums of two never overflow. */
#define LAST_TIME (INT64_MAX / 2)

void sim_fail_memory(sim *s);
void sim_fail_time(sim *s, uint32_t o);

/* from + delay, both at most LAST_TIME; past that the simulation fails. */
static inline int64_t sim_after(sim *s, uint32_t o, int64_t from, int64_t delay)
{
    int64_t t = from + delay;
    if (t <= LAST_TIME)
        return t;
    sim_fail_time(s, o);
    return LAST_TIME;
}

static inline void sim_push(sim *s, heap *h, int64_t time, uint32_t kind, uint32_t id)
{
    if (!heap_push(h, (heap_item){time, kind, id}))
        sim_fail_memory(s);
}

#endif
