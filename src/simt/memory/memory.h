/* Finds the bytes at an address of a thread. */
#ifndef SIMT_MEMORY_MEMORY_H
#define SIMT_MEMORY_MEMORY_H

#include "simt/machine/machine.h"

/* The bytes at an address of one lane, after checks of bounds and alignment; NULL: the error of the core is set, or
 * blocks exchange data. */
char *memory_pointer(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, uint32_t bytes, bool write);
/* Pointers for all lanes of m; false: as NULL above. */
bool memory_pointers(core *c, warp *w, const op *o, uint32_t m, bool write, char *pointer[LANES]);
/* The bytes at a generic address, for text that kernels print; *left is their number. NULL: none. */
const char *memory_peek(const core *c, const warp *w, uint32_t lane, uint64_t generic, uint64_t *left);

/* The addresses of the lanes of m, in the space of the op. */
void memory_addresses(const warp *w, const op *o, uint32_t m, uint64_t address[LANES]);

#endif
