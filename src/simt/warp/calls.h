/* Calls of functions, and of those that the machine provides itself. */
#ifndef SIMT_WARP_CALLS_H
#define SIMT_WARP_CALLS_H

#include "simt/run/machine.h"

enum { CALL_INDIRECT = -1, CALL_PRINT = -2, CALL_ASSERT = -3, CALL_MALLOC = -4, CALL_FREE = -5 };

/* Is it provided here? Then call->function says so. */
bool calls_built_in(const char *name, call *k);

/* The first frame of a warp. */
frame *calls_first(core *c, warp *w);
/* The frame of a function one call deeper for these lanes, with its values; NULL with the error set. */
frame *calls_enter(core *c, warp *w, const op *o, uint32_t m, uint32_t function, uint32_t return_pc);
/* These lanes return: their results go to the callers' frames. */
void calls_leave(core *c, warp *w, uint32_t m);
/* Lanes of m that call the same function as the first of them. */
uint32_t calls_target(core *c, warp *w, const op *o, uint32_t m, int32_t *function);
bool calls_run_built_in(core *c, warp *w, const op *o, uint32_t m);
void calls_warp_free(warp *w);

/* Prints for one lane; *count is what printf returns. False with the error set. */
bool print_format(core *c, warp *w, const op *o, uint32_t lane, uint64_t format, uint64_t values, int32_t *count);

#endif
