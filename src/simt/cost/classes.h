/* Classes of PTX instructions. */
#ifndef SIMT_COST_CLASSES_H
#define SIMT_COST_CLASSES_H

#include "simt/cost/state.h"

cost_class cost_class_of(const ptx_instruction *in);
/* Does ptxas make one instruction of `before` and `next`, which uses its result? */
bool cost_is_fused(const ptx_instruction *before, const ptx_instruction *next);

#endif
