/* Reads traces of Kineto, the profiler of PyTorch: Chrome trace events as JSON, plain or gzip. A trace is read piece by
 * piece; memory holds only the events that a workload needs. */
#ifndef PROFILE_KINETO_KINETO_READ_H
#define PROFILE_KINETO_KINETO_READ_H

#include "profile/reading.h"
#include "profile/trace.h"

/* The text of a trace, which is parsed to events piece by piece. */
typedef struct kineto_text kineto_text;

/* NULL without memory. The trace stays the caller's. */
kineto_text *kineto_text_open(const char *file, prof_trace *t, gcast_error *err);
gcast_status kineto_text_feed(kineto_text *k, const char *bytes, size_t size);
/* Call this after the last bytes: checks that the text was a trace with usable kernels. */
gcast_status kineto_text_end(kineto_text *k);
void kineto_text_close(kineto_text *k);

/* `path` may be "-", standard input. *t is NULL where this fails. */
gcast_status kineto_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err);
/* Reads a text in memory. */
gcast_status kineto_read_memory(const char *name, const char *text, size_t size, prof_trace **t, gcast_error *err);

#endif
