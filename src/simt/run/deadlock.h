/* The message of a deadlock. */
#ifndef SIMT_RUN_DEADLOCK_H
#define SIMT_RUN_DEADLOCK_H

#include "simt/machine/machine.h"

/* Fails with why a block makes no progress: lines and masks. `waiting` blocks have not started. */
void block_deadlock(core *c, const block *b, uint64_t waiting);

#endif
