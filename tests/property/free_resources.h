/* The free resources of an SM at a time, from the blocks of a run alone: written after docs/model.md, slow, and
 * independent of the simulator on purpose. */
#ifndef PROPERTY_FREE_RESOURCES_H
#define PROPERTY_FREE_RESOURCES_H

#include "gridcast/gridcast.h"

/* May SMs have different sizes of shared memory? Then resources_fit is not exact. */
bool resources_have_sizes(const gcast_run *run);
/* Would a block of the operation fit on the SM at t? `short_of` gets bits 1 << gcast_resource: resources of which the
 * SM has too little; or, if it has enough of all and registers belong to quarters, those that a quarter lacks. */
bool resources_fit(const gcast_run *run, size_t run_op, int sm, int64_t t, unsigned *short_of);

#endif
