/* The machine reports to the race checker the ops that order threads. */
#ifndef SIMT_RACES_SYNCHRONIZATION_H
#define SIMT_RACES_SYNCHRONIZATION_H

#include "simt/machine/machine.h"

/* The lanes of m arrive at a barrier of their block, and leave it. */
void races_arrive(core *c, warp *w, const op *o, uint32_t m, uint32_t id);
void races_leave(core *c, warp *w, uint32_t m, uint32_t id);
/* The barrier is complete. `all`: it waits for all threads of the block that have not exited. */
void races_complete(core *c, block *b, uint32_t id, bool all);
/* All threads have left it. */
void races_barrier_end(core *c, block *b, uint32_t id);
/* The lanes of m have met: bar.warp.sync, or an exchange of values. */
void races_warp_sync(core *c, warp *w, const op *o, uint32_t m);
/* The lanes of m exit. */
void races_exit(core *c, warp *w, const op *o, uint32_t m);
/* Fences, and instructions that commit or wait for asynchronous copies. */
void races_fence(core *c, warp *w, const op *o, uint32_t m);

#endif
