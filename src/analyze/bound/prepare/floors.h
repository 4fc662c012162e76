/* Weights and floors of all kernels, lemma 1 of docs/bound.md. */
#ifndef ANALYZE_BOUND_PREPARE_FLOORS_H
#define ANALYZE_BOUND_PREPARE_FLOORS_H

#include "analyze/bound/state.h"

/* False without memory. */
bool bound_find_floors(bound *b);

#endif
