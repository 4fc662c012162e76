/* When each instruction of a block issues. */
#ifndef SIMT_COST_SCOREBOARD_H
#define SIMT_COST_SCOREBOARD_H

#include "simt/machine/machine.h"

/* False with the error of the core set. */
bool cost_block_start(core *c, block *b);
void cost_block_end(core *c, const block *b);
void cost_block_free(block *b);
/* Before the warps of a block take turns: sets how far they may go. */
void cost_turn(block *b);
/* Issues an op for the lanes of m; false: not in this turn. */
bool cost_step(core *c, warp *w, const op *o, uint32_t m);
/* A warp leaves a barrier at which the last warp arrived at `last_arrival`. */
void cost_release(core *c, warp *w, uint64_t last_arrival);

#endif
