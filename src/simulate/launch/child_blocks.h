/* What the block scheduler has to know of kernels that launch, of children and of rests: how long blocks take, which of
 * them take the same time, and when the launchers of a block decide. */
#ifndef SIMULATE_LAUNCH_CHILD_BLOCKS_H
#define SIMULATE_LAUNCH_CHILD_BLOCKS_H

#include "simulate/launch/state.h"

/* o, which launches kernels, enters the EE queue. */
void parent_start(sim *s, uint32_t o);
void parent_free(sim *s, uint32_t o);
/* How long a block of o, a kernel that launches, a child or a rest, takes by itself: without what its launchers do. */
int64_t child_block_ns(const sim *s, uint32_t o, uint64_t block);
/* A block of o, a child that launches nothing or a rest, starts now. Returns how long it takes. */
int64_t child_block_starts(sim *s, uint32_t o, uint64_t block);
/* Do all blocks of o take the same time, so that they may start together? */
bool child_durations_equal(const sim *s, uint32_t o);
/* A block of o, which launches, starts now as a group of its own: its launchers will decide. */
void parent_block_starts(sim *s, uint32_t o, uint32_t group);
/* Records a block of o, which started at `start` and ends at `end`. */
void child_block_record(sim *s, uint32_t o, uint64_t block, gcast_block b);
/* o, a child or a rest, is fully dispatched. */
static inline void child_dispatched(sim *s, uint32_t o)
{
    if (s->launch->records)
        child_record_of(s, o)->dispatched_ns = s->now;
}

/* A block of the child o, which started at `start`, will end at `end`. */
void child_block_ends_at(sim *s, uint32_t o, uint64_t block, int64_t start, int64_t end);

#endif
