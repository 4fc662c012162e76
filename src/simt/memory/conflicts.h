/* Do blocks exchange data? See memory/conflicts.c. */
#ifndef SIMT_MEMORY_CONFLICTS_H
#define SIMT_MEMORY_CONFLICTS_H

#include "simt/machine/machine.h"

/* Kinds of accesses. CONFLICT_REDUCE + n is a reduction by operation n, which commutes with itself. */
enum { CONFLICT_READ = 1, CONFLICT_WRITE, CONFLICT_REDUCE };

/* The block is about to access these bytes of a region; false: it must not, another block has accessed them. */
bool conflicts_note(core *c, const block *b, region *r, uint64_t offset, uint32_t bytes, int kind);
/* All lanes of a warp are about to read or write the words at address[i] - base; false as above. */
bool conflicts_note_warp(core *c, const block *b, region *r, const u64 *address, uint64_t base, bool write);

/* Starts to track accesses to all regions. */
gcast_status conflicts_prepare(machine *m, gcast_error *err);
void conflicts_free(machine *m);

#endif
