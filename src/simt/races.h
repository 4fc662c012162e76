/* The checker of races on shared memory. */
#ifndef SIMT_RACES_H
#define SIMT_RACES_H

#include "simt/machine.h"

bool races_prepare(block *b, uint32_t shared_bytes);
void races_clear(block *b);
void races_access(core *c, const warp *w, const op *o, uint32_t m, bool write);

#endif
