/* Finds loops without end. */
#ifndef SIMT_WARP_SPIN_H
#define SIMT_WARP_SPIN_H

#include "simt/machine/machine.h"

/* The version of the memory that a warp sees: it rises when memory changes. */
uint64_t spin_version(const core *c, const warp *w);
/* At a jump backwards: is this a loop without end unless memory changes? */
bool spin_seen(core *c, warp *w);
/* The lanes of m that were seen to spin since memory last changed. */
uint32_t spin_known(const core *c, const warp *w, uint32_t m);
/* Are all lanes that can run known to spin? */
bool spin_all(const core *c, const warp *w);

#endif
