/* Before Volta: one program counter per warp, and a reconvergence stack. */
#ifndef SIMT_MACHINE_RECONVERGENCE_STACK_H
#define SIMT_MACHINE_RECONVERGENCE_STACK_H

#include "simt/machine/machine.h"

/* Starts the stack of a warp. This, stack_push, stack_diverge and stack_call return false with the error set. */
bool stack_start(core *c, warp *w);
/* Removes entries that have reconverged or lost all lanes, and goes on with the top entry; false: none is left. */
bool stack_next(core *c, warp *w);
bool stack_push(core *c, warp *w, stack_entry e);
/* The lanes of `taken` go to the target of a branch, the others to the op after it. */
bool stack_diverge(core *c, warp *w, const op *o, uint32_t taken);
/* The lanes of m call a function. */
bool stack_call(core *c, warp *w, const op *o, uint32_t m);
/* The lanes of m return. */
void stack_return(core *c, warp *w, uint32_t m);
/* The lanes of m exit. */
void stack_exit(warp *w, uint32_t m);

#endif
