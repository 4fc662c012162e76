/* The checker of races: two threads touch a byte, at least one writes, and
 * nothing orders them. The machine tells it of every access, and of everything
 * that orders threads; see docs/races.md for what does. A launch that is not
 * checked has no checker, and none of this is called. */
#ifndef SIMT_RACES_RACES_H
#define SIMT_RACES_RACES_H

#include "simt/run/machine.h"

/* Most kernels have none, and that is seen quickly. Where there are any, all is run again with `exact`, for lines. */
gcast_status races_open(machine *m, bool exact, gcast_error *err);
bool races_found_any(const machine *m);
void races_close(machine *m);

bool races_block_start(core *c, block *b);
void races_block_end(const machine *m, block *b);

/* A load or a store is about to happen, at these places of this computer. */
void races_load(core *c, warp *w, const op *o, uint32_t m);
void races_store(core *c, warp *w, const op *o, uint32_t m, char *const at[LANES]);
/* A lane's atomic: did it write, or only look (a cas that failed)? Is the value another than before? */
void races_atomic(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, bool wrote, bool changed);
void races_atomics_done(core *c, warp *w, const op *o, uint32_t m);
/* What malloc gives is new. */
void races_renew(core *c, const block *b, uint64_t address, uint64_t bytes);

/* Lanes come to a barrier of their block; lanes leave it. */
void races_arrive(core *c, warp *w, const op *o, uint32_t m, uint32_t id);
void races_leave(core *c, warp *w, uint32_t m, uint32_t id);
/* All have come; `all`: all threads of the block were waited for, but for those that have ended. */
void races_complete(core *c, block *b, uint32_t id, bool all);
void races_barrier_over(core *c, block *b, uint32_t id);
/* Lanes have met: bar.warp.sync, or an exchange of values. */
void races_warp_sync(core *c, warp *w, const op *o, uint32_t m);
void races_exit(core *c, warp *w, const op *o, uint32_t m);
/* Fences, and what asynchronous copies are waited for with. */
void races_fence(core *c, warp *w, const op *o, uint32_t m);

typedef enum { MBARRIER_NEW, MBARRIER_ARRIVES, MBARRIER_LAST_ARRIVES, MBARRIER_PASSES, MBARRIER_LOOKS } mbarrier_event;
void races_copies_arrive(core *c, warp *w, const op *o, uint32_t lane);
void races_mbarrier(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, mbarrier_event e);

#endif
