/* The calls that build workloads and GPUs, for tests that go on with what they give: an index, or -1; a pointer, or
 * NULL. */
#ifndef TESTS_SUPPORT_BUILDERS_H
#define TESTS_SUPPORT_BUILDERS_H

#include "gridcast/gpu.h"
#include "gridcast/workload.h"

gcast_workload *support_workload(const char *name, gcast_error *err);
gcast_workload *support_workload_copy(const gcast_workload *w, gcast_error *err);
gcast_gpu *support_gpu(const char *name, int cc_major, int cc_minor, int sms, gcast_error *err);
gcast_gpu *support_gpu_copy(const gcast_gpu *gpu, gcast_error *err);

int support_add_stream(gcast_workload *w, gcast_stream stream, gcast_error *err);
int support_get_stream(gcast_workload *w, int id, gcast_error *err);
int support_add_host(gcast_workload *w, const char *name, gcast_error *err);
int support_add_mask(gcast_workload *w, const gcast_mask *mask, gcast_error *err);
int support_add_op(gcast_workload *w, const gcast_op *op, gcast_error *err);
int support_add_task(gcast_workload *w, const gcast_task *task, gcast_error *err);

#endif
