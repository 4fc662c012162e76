/* The machine reports accesses to memory to the race checker. */
#ifndef SIMT_RACES_DETECT_H
#define SIMT_RACES_DETECT_H

#include "simt/machine/machine.h"
#include "simt/races/sync_places.h"

/* The lanes of m are about to load or to store; pointer[i]: the bytes that lane i writes. */
void races_load(core *c, warp *w, const op *o, uint32_t m);
/* Loads of another number of bytes than the op says. */
void races_load_bytes(core *c, warp *w, const op *o, uint32_t m, uint32_t bytes);
void races_store(core *c, warp *w, const op *o, uint32_t m, char *const pointer[LANES]);
/* An atomic of a lane. writes: it is not a cas that failed; changed: the new value differs from the old one. */
void races_atomic(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, bool writes, bool changed);
/* All lanes of an atomic instruction are done. */
void races_atomics_done(core *c, warp *w, const op *o, uint32_t m);
/* An operation of a lane on an mbarrier. */
void races_mbarrier(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, mbarrier_event e);
/* cp.async.mbarrier.arrive that changes no count: the copies are complete for threads that wait at the mbarrier. */
void races_copies_arrive(core *c, warp *w, const op *o, uint32_t lane);

#endif
