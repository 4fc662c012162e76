/* What is counted of memory accesses, as profilers of NVIDIA GPUs count it. */
#ifndef SIMT_COUNTS_H
#define SIMT_COUNTS_H

#include "simt/machine.h"

/* Sectors of global memory, wavefronts of shared memory, rounds of atomics. */
void counts_access(core *c, const warp *w, const op *o, uint32_t m);

#endif
