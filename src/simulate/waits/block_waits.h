/* Blocks that wait after their start: what they wait for, and when they end. */
#ifndef SIMULATE_WAITS_BLOCK_WAITS_H
#define SIMULATE_WAITS_BLOCK_WAITS_H

#include "simulate/waits/state.h"

/* The blocks of o that s->place says start, one by one. */
void block_waits_start(sim *s, uint32_t o);
/* The next block of o starts on the SM of this rank. */
void block_waits_start_on(sim *s, uint32_t o, uint32_t rank);
/* All blocks of o have started. Those that wait for that go on. */
void block_waits_dispatched(sim *s, uint32_t o);
/* Nodes of graphs may be done: blocks go on that waited for that. */
void block_waits_nodes_done(sim *s);
/* One thing that blocks of o waited for has happened; they go on at this time at the earliest. */
void block_waits_happened(sim *s, uint32_t o, int64_t time);

#endif
