/* Writes what a kernel launches as gridcast.workload/1. */
#ifndef FILES_WORKLOAD_LAUNCHES_WRITE_LAUNCHES_H
#define FILES_WORKLOAD_LAUNCHES_WRITE_LAUNCHES_H

#include "base/text/text.h"
#include "gridcast/workload.h"

/* The key `launches` of a kernel that launches, with all levels in full, and a comma before it. */
void write_launches(text *t, const gcast_op *op);

#endif
