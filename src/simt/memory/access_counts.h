/* Counts memory accesses as profilers of NVIDIA GPUs do. */
#ifndef SIMT_MEMORY_ACCESS_COUNTS_H
#define SIMT_MEMORY_ACCESS_COUNTS_H

#include "simt/machine/machine.h"

/* One memory op of a warp. */
typedef struct access {
    uint64_t address[LANES]; /* by lane */
    uint32_t global, shared; /* masks of lanes that access global and shared memory */
    uint32_t sectors;        /* sectors of 32 bytes of global memory */
    uint32_t wavefronts;     /* passes over the banks of shared memory */
    uint32_t atomic_rounds;  /* maximum of lanes at one address; 0: not an atomic */
} access;

/* Finds the accesses of the lanes of m. */
void counts_shape(const warp *w, const op *o, uint32_t m, access *out);
/* Adds them to the counts of the op. */
void counts_access(core *c, const warp *w, const op *o, uint32_t m);

#endif
