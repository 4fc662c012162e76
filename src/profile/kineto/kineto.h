/* Traces of Kineto, the profiler of PyTorch: Chrome trace events as JSON, plain or gzip. They are read as they come, so
 * that only what a workload is made of is held in memory. */
#ifndef PROFILE_KINETO_KINETO_H
#define PROFILE_KINETO_KINETO_H

#include "profile/reading.h"
#include "profile/trace.h"

/* `path` may be "-", standard input. *t is NULL where this fails. */
gcast_status kineto_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err);
/* Text from memory. */
gcast_status kineto_read_memory(const char *name, const char *text, size_t size, prof_trace **t, gcast_error *err);

#endif
