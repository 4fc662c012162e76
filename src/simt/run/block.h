/* Blocks and the launch they are of. */
#ifndef SIMT_RUN_BLOCK_H
#define SIMT_RUN_BLOCK_H

#include "simt/run/machine.h"

typedef enum { BLOCK_PAUSED, BLOCK_STUCK, BLOCK_DONE, BLOCK_FAILED } block_state;

bool block_start(core *c, block *b, uint64_t number);
block_state block_run(core *c, block *b);
void block_free(const machine *m, block *b);
/* Why these blocks do not get on: lines and masks. */
void block_deadlock(core *c, const block *b, uint64_t waiting); /* waiting: blocks that have not started */

/* Runs all blocks on the cores there are. */
gcast_status blocks_run(machine *m, core *cores, uint32_t count);

gcast_status report_make(machine *m, core *cores, uint32_t count, gcast_simt_report **out, gcast_error *err);

#endif
