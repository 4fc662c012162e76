/* Jobs dealt to SMs in turn, so that SMs go through the grid side by side, as the hardware does. */
#ifndef MODEL_PLAN_IN_TURN_H
#define MODEL_PLAN_IN_TURN_H

#include <stdbool.h>
#include <stdint.h>

/* `part` gets, by job, which of n parts it goes to: part k has count[k] of the `jobs`, spread evenly over their order.
 * False without memory. */
bool in_turn_deal(uint32_t jobs, const uint32_t *count, uint32_t n, uint32_t *part);
/* Reorders a queue so that segment k of `workers` has each workers-th job from the k-th on. `scratch` has room for as
 * many. */
void in_turn_cut(uint32_t *job, uint32_t jobs, uint32_t workers, uint32_t *scratch);

#endif
