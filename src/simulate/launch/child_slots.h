#ifndef SIMULATE_LAUNCH_CHILD_SLOTS_H
#define SIMULATE_LAUNCH_CHILD_SLOTS_H

#include "simulate/launch/state.h"
#include "simulate/state/fifo.h"

/* A new operation for a child or a rest of `op`, an op of the workload, with its job and so many blocks, which is
 * called now. NONE where the simulation has failed. May move sim.ops, sim.state and the children. */
uint32_t child_slot_new(sim *s, uint32_t op, uint32_t job, uint64_t blocks);
/* o is complete: it is used again when its resources have been released. */
void child_slot_drop(sim *s, uint32_t o);
/* Nothing refers to what ended at this time any more. */
static inline void child_slots_reclaim(sim *s)
{
    sim_launches *l = s->launch;
    for (uint32_t o; (o = l->draining.first) != NONE && !s->state[o].group_count;) {
        fifo_drop(s, &l->draining);
        s->state[o].queue_next = l->free_child;
        l->free_child = o;
    }
}

#endif
