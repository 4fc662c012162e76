/* The name of a stream: the names of its tasks; without tasks, the label that all its
 * kernels share; else its number. */
#ifndef REPORT_RUN_STREAM_NAME_H
#define REPORT_RUN_STREAM_NAME_H

#include "gridcast/run.h"
#include "report/canvas/font.h"

/* "camera", or "" where it has only a number. Returns out. */
char *stream_name(const gcast_workload *w, size_t stream, char out[LABEL_SIZE]);
/* "camera (stream 2, priority -1)", or "stream 2, priority -1". */
void stream_describe(const gcast_workload *w, size_t stream, char *out, size_t size);
/* "camera", or "stream 2". */
void stream_short(const gcast_workload *w, size_t stream, char *out, size_t size);

#endif
