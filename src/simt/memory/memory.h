/* Memory as threads see it: 64-bit addresses. Global memory (buffers of the
 * launch and variables of the module) has sections of one region each, so far
 * apart that a wrong index of 32 bits comes to no other region; shared, local
 * and parameter memory have offsets from 0 in their own spaces and windows
 * among generic addresses. */
#ifndef SIMT_MEMORY_MEMORY_H
#define SIMT_MEMORY_MEMORY_H

#include "simt/run/machine.h"

#define WINDOW_BYTES ((uint64_t)1 << 32)
#define SHARED_WINDOW ((uint64_t)1 << 32)
#define LOCAL_WINDOW ((uint64_t)2 << 32)
#define PARAM_WINDOW ((uint64_t)3 << 32)
#define FUNCTION_BASE ((uint64_t)4 << 32) /* addresses of functions, FUNCTION_STEP apart */
#define FUNCTION_STEP 16
#define MEMORY_SECTION 38                           /* bits of an address within one: 256 GiB */
#define MEMORY_BASE ((uint64_t)1 << MEMORY_SECTION) /* the first section has the windows */
#define MEMORY_APART ((uint64_t)64 << 30)           /* at least, from a region to the next */

/* Give the regions their addresses. */
gcast_status memory_map(program *p, region *r, uint32_t count, gcast_error *err);

/* The region in whose section an address is, NULL: in none's. Its bounds are the caller's to check. */
static inline region *memory_region(const program *p, uint64_t address)
{
    uint64_t at = address >> MEMORY_SECTION;
    uint32_t i = at < p->sections ? p->section[at] : 0;
    return i ? &p->region[i - 1] : NULL;
}

/* The bytes at an address for one lane, or NULL with the error of the core set. Checks bounds and alignment. */
char *memory_at(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write);
/* The same without an error, for text that kernels print: bytes left from there in *left. */
const char *memory_peek(const core *c, const warp *w, uint32_t lane, uint64_t generic, uint64_t *left);

/* The addresses of the lanes of m, in the space of the op. */
void memory_addresses(const warp *w, const op *o, uint32_t m, uint64_t address[LANES]);
/* Pointers for the lanes of m; false with the error set. */
bool memory_reach(core *c, warp *w, const op *o, uint32_t m, bool write, char *at[LANES]);

memory_function memory_load, memory_store, memory_atomic;
/* 32 bits a lane, with 32-bit addresses of shared and 64-bit ones of global memory. */
memory_function memory_load_shared_32, memory_store_shared_32, memory_load_global_32, memory_store_global_32;

/* Note that the block touches these words; what another block did there is a conflict. */
void memory_note(core *c, const block *b, region *r, uint64_t offset, uint32_t bytes, int how);
/* That a full warp reads or writes the words at a[i] - base. */
void memory_note_warp(core *c, const block *b, region *r, const u64 *a, uint64_t base, bool write);
enum { NOTE_READ = 1, NOTE_WRITE, NOTE_REDUCE }; /* NOTE_REDUCE + n: by operation n, which commutes with itself */
gcast_status conflicts_prepare(machine *m, gcast_error *err);
void conflicts_free(machine *m);

/* The block has changed global memory. */
static inline void memory_changed(core *c, const warp *w)
{
    c->version++;
    w->block->global_version++;
}

/* The source file of an op, NULL: it is not known; and " (file:line)" for messages, or "". */
const char *machine_file(const program *p, const op *o);
void machine_place(const program *p, const op *o, char *out, size_t size);
/* Fails with what the thread of a lane was about, lane -1: no single thread; always false. */
bool machine_fail(core *c, const warp *w, const op *o, int lane, const char *format, ...) GCAST_PRINTF(5, 6);

#endif
