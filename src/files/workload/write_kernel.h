/* Keys that the writer of gridcast.workload/1 writes for kernels of /ops and for their children; each with a comma
 * before it. */
#ifndef FILES_WORKLOAD_WRITE_KERNEL_H
#define FILES_WORKLOAD_WRITE_KERNEL_H

#include "base/text/text.h"
#include "gridcast/workload.h"

void write_text(text *t, const char *key, const char *value);
/* Nothing where it is the default. */
void write_int(text *t, const char *key, int64_t value, int64_t default_value);
void write_dimensions(text *t, const char *key, const uint32_t d[3]);
/* The block of a kernel, and what it needs of an SM. */
void write_shape(text *t, const gcast_op *op);
/* The duration of a kernel's blocks, or of a copy. */
void write_duration(text *t, const gcast_op *op);

#endif
