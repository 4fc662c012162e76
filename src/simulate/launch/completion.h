#ifndef SIMULATE_LAUNCH_COMPLETION_H
#define SIMULATE_LAUNCH_COMPLETION_H

#include "simulate/launch/state.h"

/* The last block of o, a kernel that launches, a child or a rest, has ended. */
void completion_blocks_ended(sim *s, uint32_t o);
/* Children that ended so long ago that they are complete now come to sim.ended. */
void completion_collect(sim *s);
/* The child o is complete. */
void completion_complete(sim *s, uint32_t o);
/* When the next child is complete that has ended; INT64_MAX: there is none. */
static inline int64_t completion_next_time(const sim *s)
{
    uint32_t o = s->launch->completing.first;
    return o == NONE ? INT64_MAX : child_of(s, o)->end_ns + s->gpu->child_end_ns;
}
/* A block that waits for its children has come to its end; `waiting`: of sim_launches.waiting. */
void completion_block_waits(sim *s, uint32_t waiting);
/* Rests whose time has come enter the EE queue. */
void completion_enter_rests(sim *s);

#endif
