/* Launches by kernels, in gridcast.workload/1. */
#ifndef FILES_WORKLOAD_READ_LAUNCHES_H
#define FILES_WORKLOAD_READ_LAUNCHES_H

#include "files/workload/native_reader.h"

/* Reads /children, to which launches refer. */
void native_children(native_reader *r);
/* Reads the launches of a kernel whose label, grid, block and durations have been read. They are in r->launches. */
void native_launches(native_reader *r, const node *kernel, gcast_op *op);

#endif
