/* The instructions of a block as steps of a schedule. */
#ifndef SIMT_REGISTERS_STEPS_H
#define SIMT_REGISTERS_STEPS_H

#include "ptx/graph/live.h"
#include "simt/registers/state.h"

/* Fills *s with the instructions of a block that are not dead, but for jumps, and with what is live at its end. Blocks
 * after it that ptxas merges with it are part of it: *block_number becomes the last of them. False without memory. */
bool registers_steps(const ptx_live *live, register_view *v, uint32_t *block_number, register_steps *s);
void registers_steps_clear(register_steps *s);
void registers_steps_free(register_steps *s);

#endif
