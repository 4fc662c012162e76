/* The walk through a function that finds products and sums. */
#ifndef SIMT_CONTRACT_WALK_H
#define SIMT_CONTRACT_WALK_H

#include "simt/contract/state.h"

/* Fills products and sums with those of the whole function. */
void contract_walk(finder *f);

#endif
