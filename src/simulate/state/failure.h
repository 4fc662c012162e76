/* Where a simulation can fail: without memory, or at a time that is too late. The first failure stays in sim.status. */
#ifndef SIMULATE_STATE_FAILURE_H
#define SIMULATE_STATE_FAILURE_H

#include "simulate/state/state.h"

/* No time of a simulation is later, so that the sum of two never overflows. */
#define MAX_TIME_NS (INT64_MAX / 2)

/* There is no memory. */
void sim_fail_memory(sim *s);
/* There is no memory for a block, or the caller takes no more. */
void sim_fail_record(sim *s);
/* A time of o is later than MAX_TIME_NS. */
void sim_fail_time(sim *s, uint32_t o);

/* The sum of a time of o and a delay, both at most MAX_TIME_NS; where the sum is more, the simulation fails. */
static inline int64_t sim_add_ns(sim *s, uint32_t o, int64_t time, int64_t delay)
{
    int64_t sum = time + delay;
    if (sum <= MAX_TIME_NS)
        return sum;
    sim_fail_time(s, o);
    return MAX_TIME_NS;
}

/* Adds an event to a heap. */
static inline void sim_push(sim *s, heap *h, int64_t time, uint32_t kind, uint32_t id)
{
    if (!heap_push(h, (heap_item){time, kind, id}))
        sim_fail_memory(s);
}

#endif
