/* Finds out whether blocks exchange data. */
#ifndef SIMT_MEMORY_BLOCK_CONFLICTS_H
#define SIMT_MEMORY_BLOCK_CONFLICTS_H

#include "simt/machine/machine.h"

/* Kinds of accesses. CONFLICT_REDUCE + n is a reduction by the commutative operation n. */
enum { CONFLICT_READ = 1, CONFLICT_WRITE, CONFLICT_REDUCE };

/* The block is about to access these bytes of a region; false: it must not, because of an access by another block. */
bool conflicts_note(core *c, const block *b, region *r, uint64_t offset, uint32_t bytes, int kind);
/* All lanes of a warp are about to read or write the words at address[i] - base; false as above. */
bool conflicts_note_warp(core *c, const block *b, region *r, const u64 *address, uint64_t base, bool write);

/* Starts to track accesses to all regions. */
gcast_status conflicts_prepare(machine *m, gcast_error *err);
void conflicts_free(machine *m);

#endif
