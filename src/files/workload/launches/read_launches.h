/* What kernels launch, in gridcast.workload/1. */
#ifndef FILES_WORKLOAD_LAUNCHES_READ_LAUNCHES_H
#define FILES_WORKLOAD_LAUNCHES_READ_LAUNCHES_H

#include "files/workload/state.h"

/* Reads /children, which launches name. */
void native_children(native_reader *r);
/* Reads the launches of a kernel whose label, grid, block and durations are read, into the reader's memory of launches.
 */
void native_launches(native_reader *r, const node *kernel, gcast_op *op);

#endif
