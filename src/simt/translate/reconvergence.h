/* Where the paths of branches meet again. */
#ifndef SIMT_TRANSLATE_RECONVERGENCE_H
#define SIMT_TRANSLATE_RECONVERGENCE_H

#include "simt/program/op.h"

/* Fills op.reconverge of a function's ops with the immediate post-dominators of branches. */
gcast_status find_reconvergence(op *ops, uint32_t first, uint32_t count, gcast_error *err);

#endif
