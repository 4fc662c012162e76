/* What a launch asks of the GPU beyond blocks and threads, in gridcast.workload/1. */
#ifndef FILES_WORKLOAD_ATTRIBUTES_READ_ATTRIBUTES_H
#define FILES_WORKLOAD_ATTRIBUTES_READ_ATTRIBUTES_H

#include "files/workload/state.h"

/* Those of a kernel whose grid and durations are read, but for what names other ops. */
void native_attributes(const node *kernel, gcast_op *op);
/* The launch of a graph that an op is a node of, which is added where it is new; GCAST_NO_GRAPH. */
int native_graph(native_reader *r, const node *op);

#endif
