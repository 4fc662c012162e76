/* The policy of a kernel in gridcast.workload/1, and its plan. */
#ifndef FILES_WORKLOAD_JSON_POLICY_H
#define FILES_WORKLOAD_JSON_POLICY_H

#include "files/workload/state.h"

/* Reads the policy, plan and fill of a kernel whose grid is read. The caller frees op->plan. */
void native_policy(native_reader *r, const node *kernel, gcast_op *op);

#endif
