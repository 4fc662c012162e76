/* What is counted of memory accesses, as profilers of NVIDIA GPUs count it. */
#ifndef SIMT_REPORT_ACCESS_COUNTS_H
#define SIMT_REPORT_ACCESS_COUNTS_H

#include "simt/run/machine.h"

typedef struct access {
    uint64_t address[LANES];
    uint32_t global, shared;              /* lanes */
    uint32_t sectors, wavefronts, rounds; /* rounds: of atomics */
} access;

/* Of the lanes m of a memory op. */
void counts_shape(const warp *w, const op *o, uint32_t m, access *out);
/* Sectors of global memory, wavefronts of shared memory, rounds of atomics. */
void counts_access(core *c, const warp *w, const op *o, uint32_t m);

#endif
