/* Policy and plan of a kernel, in gridcast.workload/1. */
#ifndef FILES_WORKLOAD_READ_POLICY_H
#define FILES_WORKLOAD_READ_POLICY_H

#include "files/workload/native_reader.h"

/* Reads policy, plan and fill of a kernel whose grid has been read. The caller frees op->plan. */
void native_policy(native_reader *r, const node *kernel, gcast_op *op);

#endif
