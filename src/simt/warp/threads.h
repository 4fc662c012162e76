/* Since Volta: one program counter per thread. */
#ifndef SIMT_WARP_THREADS_H
#define SIMT_WARP_THREADS_H

#include "simt/machine/machine.h"

/* The lanes of a warp that starts. */
void threads_start(warp *w);
/* The lanes of m go on at pc, in this frame. */
void threads_set(warp *w, uint32_t m, uint32_t pc, frame *f);
/* Chooses the group of lanes that runs next; false: no lane can run. */
bool threads_regroup(core *c, warp *w);
/* After a jump of the whole group: does it still come first? */
bool threads_stay(core *c, warp *w);
/* Another group gets a turn out of order; false: no other can run. */
bool threads_rotate(core *c, warp *w);

#endif
