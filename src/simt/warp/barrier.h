/* Barriers of a block. */
#ifndef SIMT_WARP_BARRIER_H
#define SIMT_WARP_BARRIER_H

#include "simt/decode/state.h"
#include "simt/machine/machine.h"

/* bar and barrier; membar, fence and such. */
instruction_decoder decode_bar, decode_fence;

/* The lanes of m arrive at a barrier; w->pc is past it for those that wait. False with the error set. */
bool barrier_arrive(core *c, warp *w, const op *o, uint32_t m);
/* Threads have exited: releases barriers that only waited for them. */
void barrier_exited(core *c, block *b);

#endif
