/* What kernels of /ops and their children have in common in gridcast.workload/1. */
#ifndef FILES_WORKLOAD_JSON_KERNEL_H
#define FILES_WORKLOAD_JSON_KERNEL_H

#include "files/json/object.h"
#include "gridcast/workload.h"

/* The index of a name in a list; `missing` where there is no such key, or an error where that is negative. */
int native_choice(const node *object, const char *key, const char *const *names, int missing);
/* One to three numbers whose product is below `limit`; `unit` says what there are too many of. */
void native_dimensions(const node *object, const char *key, uint64_t limit, const char *unit, uint32_t out[3]);
/* duration_ns, where it is given. */
void native_duration(const node *object, gcast_op *op);
/* The block of a kernel, and what it needs of an SM. */
void native_shape(const node *n, gcast_op *op);

#endif
