/* What an access of memory costs. */
#ifndef SIMT_COST_CACHES_H
#define SIMT_COST_CACHES_H

#include "simt/cost/state.h"

/* Adds to *d what a memory op of the lanes of m demands. */
void cost_memory(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, cost_demand *d);

#endif
