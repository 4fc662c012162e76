/* What a launch asks of the GPU beyond blocks and threads, and what an op is after, in gridcast.workload/1. */
#ifndef FILES_WORKLOAD_ATTRIBUTES_WRITE_ATTRIBUTES_H
#define FILES_WORKLOAD_ATTRIBUTES_WRITE_ATTRIBUTES_H

#include "base/text/text.h"
#include "gridcast/workload.h"

/* Those of a kernel. */
void write_attributes(text *t, const gcast_workload *w, const gcast_op *op);
/* The graph that an op is in, and what it is after. */
void write_after(text *t, const gcast_workload *w, const gcast_op *op);

#endif
