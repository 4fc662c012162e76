/* Loops that ptxas unrolls. */
#ifndef SIMT_REGISTERS_LOOP_UNROLL_H
#define SIMT_REGISTERS_LOOP_UNROLL_H

#include "simt/registers/state.h"

/* Is the block a loop that counts by a constant, without calls and fences, so that ptxas unrolls it? */
bool registers_unrolls(const ptx_graph *g, uint32_t number, const register_steps *s);
/* The steps of this many iterations of such a loop; false without memory. */
bool registers_unroll(const register_steps *s, uint32_t times, register_steps *out);

#endif
