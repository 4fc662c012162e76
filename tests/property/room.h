/* Room on an SM at one time, from the blocks of a run alone: slow, and from docs/model.md. */
#ifndef PROPERTY_ROOM_H
#define PROPERTY_ROOM_H

#include "gridcast/gridcast.h"

/* Do the sizes of SMs' shared memory matter? Then what follows does not tell. */
bool room_has_sizes(const gcast_run *run);
/* Would a block of the operation fit on the SM at t? `short_of` has bits 1 << gcast_resource: pools that do not
 * suffice; or where all do, and registers are held by quarter, what some quarter has too few of. */
bool room_for(const gcast_run *run, size_t run_op, int sm, int64_t t, unsigned *short_of);

#endif
