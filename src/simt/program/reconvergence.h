/* Where diverged lanes of a warp meet again, before Volta and since. */
#ifndef SIMT_PROGRAM_RECONVERGENCE_H
#define SIMT_PROGRAM_RECONVERGENCE_H

#include "simt/program/op.h"

/* Since Volta: fills op.rank, op.run_length and op.may_wait of a function's ops. */
gcast_status find_order(op *ops, uint32_t first, uint32_t count, gcast_error *err);
/* Before Volta: fills op.reconverge of a function's ops with the immediate post-dominators of branches. */
gcast_status find_reconvergence(op *ops, uint32_t first, uint32_t count, gcast_error *err);

#endif
