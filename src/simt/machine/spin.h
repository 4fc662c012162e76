/* Finds warps that spin: loops without end unless another warp changes memory. */
#ifndef SIMT_MACHINE_SPIN_H
#define SIMT_MACHINE_SPIN_H

#include "simt/machine/machine.h"

/* The version of the memory of a warp. It rises when memory changes. */
uint64_t spin_version(const core *c, const warp *w);
/* At a jump backwards: does the active group spin? */
bool spin_seen(core *c, warp *w);
/* The lanes of m that were seen to spin since memory last changed. */
uint32_t spin_known(const core *c, const warp *w, uint32_t m);
/* Are all lanes that can run known to spin? */
bool spin_all(const core *c, const warp *w);

#endif
