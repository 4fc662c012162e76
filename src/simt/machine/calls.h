/* Calls of functions, and of functions that the machine provides itself. */
#ifndef SIMT_MACHINE_CALLS_H
#define SIMT_MACHINE_CALLS_H

#include "simt/machine/machine.h"

/* The frame of the kernel, when a warp starts; NULL with the error set. */
frame *calls_first(core *c, warp *w);
/* The frame of a function one call deeper, with the arguments of the lanes of m; NULL with the error set. */
frame *calls_enter(core *c, warp *w, const op *o, uint32_t m, uint32_t function, uint32_t return_pc);
/* The lanes of m return: copies their results to the frames of the callers. */
void calls_leave(core *c, warp *w, uint32_t m);
/* The lanes of m that call the same function as the first of them; 0 with the error set. */
uint32_t calls_target(core *c, warp *w, const op *o, uint32_t m, int32_t *function);
/* Runs vprintf, __assertfail, malloc or free for the lanes of m; false with the error set. */
bool calls_run_built_in(core *c, warp *w, const op *o, uint32_t m);
void calls_warp_free(warp *w);

#endif
