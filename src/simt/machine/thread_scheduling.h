/* Since Volta: one program counter per thread. */
#ifndef SIMT_MACHINE_THREAD_SCHEDULING_H
#define SIMT_MACHINE_THREAD_SCHEDULING_H

#include "simt/machine/machine.h"

/* Starts all lanes of a warp. */
void threads_start(warp *w);
/* The lanes of m go on at pc, in this frame. */
void threads_set(warp *w, uint32_t m, uint32_t pc, frame *f);
/* Chooses the next group of lanes; false: no lane can run. */
bool threads_regroup(core *c, warp *w);
/* After a jump of the whole group: does it still run first? */
bool threads_stay(core *c, warp *w);
/* Gives another group a turn out of order; false: no other can run. */
bool threads_rotate(core *c, warp *w);

#endif
