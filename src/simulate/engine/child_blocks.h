/* Blocks of kernels that launch, of children and of rests: how long they take, whether all take the same time, when
 * their launchers decide; and when such operations are complete. */
#ifndef SIMULATE_ENGINE_CHILD_BLOCKS_H
#define SIMULATE_ENGINE_CHILD_BLOCKS_H

#include "simulate/engine/launch_state.h"

/* o, which launches kernels, enters the EE queue. */
void parent_start(sim *s, uint32_t o);
void parent_free(sim *s, uint32_t o);
/* How long a block of o, a kernel that launches, a child or a rest, takes without its launchers. */
int64_t child_block_ns(const sim *s, uint32_t o, uint64_t block);
/* A block of o, a child that launches nothing or a rest, starts now. Returns how long it takes. */
int64_t child_block_starts(sim *s, uint32_t o, uint64_t block);
/* Do all blocks of o take the same time, so that they may start together? */
bool child_durations_equal(const sim *s, uint32_t o);
/* A block of o, which launches, starts now as a group of its own: its launchers will decide. */
void parent_block_starts(sim *s, uint32_t o, uint32_t group);
/* Records a block of o, a child or a rest. */
void child_block_record(sim *s, uint32_t o, uint64_t block, gcast_block b);
/* o, a child or a rest, is fully dispatched. */
static inline void child_dispatched(sim *s, uint32_t o)
{
    if (s->launch->records)
        child_record_of(s, o)->dispatched_ns = s->now;
}

/* A block of the child o, which started at `start`, will end at `end`. */
void child_block_ends_at(sim *s, uint32_t o, uint64_t block, int64_t start, int64_t end);

/* The last block of o, a kernel that launches, a child or a rest, has ended. */
void completion_blocks_ended(sim *s, uint32_t o);
/* Children that are complete now, some time after their end, join sim.ended. */
void completion_collect(sim *s);
/* The child o is complete. */
void completion_complete(sim *s, uint32_t o);
/* When the next child that has ended is complete; INT64_MAX: there is none. */
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
