/* Reads special registers. */
#ifndef SIMT_WARP_SPECIAL_READ_H
#define SIMT_WARP_SPECIAL_READ_H

#include "simt/machine/machine.h"

/* Writes the special register that the op names to its row, for the lanes of mask m. */
void special_read(core *c, warp *w, const op *o, uint32_t m);

#endif
