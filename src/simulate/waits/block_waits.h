/* Blocks that wait after their start: what they wait for, and when they end. */
#ifndef SIMULATE_WAITS_BLOCK_WAITS_H
#define SIMULATE_WAITS_BLOCK_WAITS_H

#include "simulate/waits/state.h"

/* The blocks of o that s->place says start, one by one. */
void block_waits_start(sim *s, uint32_t o);
/* All blocks of o have started. Those that wait for that go on. */
void block_waits_dispatched(sim *s, uint32_t o);
/* One thing that blocks of o waited for has happened; they go on at this time at the earliest. */
void block_waits_happened(sim *s, uint32_t o, int64_t time);

#endif
