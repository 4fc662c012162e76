/* Barriers of a block, and fences. */
#ifndef SIMT_MACHINE_BARRIER_H
#define SIMT_MACHINE_BARRIER_H

#include "simt/isa/decoder.h"
#include "simt/machine/machine.h"

/* bar and barrier; membar and fence. */
instruction_decoder decode_bar, decode_fence;

/* The lanes of m arrive at a barrier. The pc of lanes that wait is past it. False with the error set. */
bool barrier_arrive(core *c, warp *w, const op *o, uint32_t m);
/* After threads have exited: releases barriers that only waited for them. */
void barrier_exited(core *c, block *b);

#endif
