/* Runs warps. */
#ifndef SIMT_MACHINE_WARP_H
#define SIMT_MACHINE_WARP_H

#include "simt/machine/machine.h"

/* Runs a warp for about `budget` instructions, or until it cannot go on. */
warp_state warp_run(core *c, warp *w, uint64_t budget);

#endif
