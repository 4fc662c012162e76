/* Estimates from the PTX how many registers ptxas gives a thread of a kernel: by which values are live, in the order of
 * the text and in an order that hides latencies, and by how ptxas allocates registers. docs/exec.md says how far off
 * the estimate is. */
#ifndef SIMT_PTXAS_REGISTERS_H
#define SIMT_PTXAS_REGISTERS_H

#include "simt/program/program.h"

/* For the kernel of a program and all functions that it calls, on a GPU of compute capability `sm` (90). */
gcast_status registers_estimate(const program *p, int sm, uint32_t *out, gcast_error *err);

/* The maximum error for nine of ten kernels, by tests/data/ptxas/registers.txt. */
uint32_t registers_margin(int sm);

#endif
