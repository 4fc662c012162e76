/* Operations of gridcast.workload/1. */
#ifndef FILES_WORKLOAD_JSON_OP_H
#define FILES_WORKLOAD_JSON_OP_H

#include "files/workload/state.h"

/* One element of /ops, or, with task >= 0, of /tasks/N/ops. */
void native_op(native_reader *r, const node *n, int task);
/* The index of the stream whose id is the value of a key. */
int native_stream(native_reader *r, const node *object, const char *key);

#endif
