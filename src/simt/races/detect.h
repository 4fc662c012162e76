/* Accesses to memory, as the machine reports them to the race checker. */
#ifndef SIMT_RACES_DETECT_H
#define SIMT_RACES_DETECT_H

#include "simt/machine/machine.h"
#include "simt/races/place.h"

/* The lanes of m are about to load or to store; pointer[i]: where lane i stores. */
void races_load(core *c, warp *w, const op *o, uint32_t m);
void races_store(core *c, warp *w, const op *o, uint32_t m, char *const pointer[LANES]);
/* A lane's atomic. wrote: not a cas that failed; changed: the value is another than before. */
void races_atomic(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, bool writes, bool changed);
/* All lanes of an atomic instruction are done. */
void races_atomics_done(core *c, warp *w, const op *o, uint32_t m);
/* A lane's operation on an mbarrier. */
void races_mbarrier(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, mbarrier_event e);
/* cp.async.mbarrier.arrive that changes no count: the copies are complete for those who wait at the mbarrier. */
void races_copies_arrive(core *c, warp *w, const op *o, uint32_t lane);

#endif
