/* Workloads in one format: the native one, configurations of the CUDA scheduling examiner, and durations by label. */
#ifndef FILES_WORKLOAD_FORMATS_H
#define FILES_WORKLOAD_FORMATS_H

#include "gridcast/read.h"

gcast_status gcast_workload_read_native(const char *text, size_t size, const char *file, gcast_workload **w,
                                        gcast_error *err);

gcast_status gcast_workload_read_examiner(const char *text, size_t size, const char *file,
                                          const gcast_read_options *options, gcast_workload **w, gcast_error *err);

gcast_status gcast_workload_write_examiner(const gcast_workload *w, char **text, size_t *size, gcast_error *err);

/* Durations by label from {"K1": 1000000, ...} (nanoseconds), applied to w. */
gcast_status gcast_workload_calibrate(gcast_workload *w, const char *text, size_t size, const char *file,
                                      gcast_error *err);

#endif
