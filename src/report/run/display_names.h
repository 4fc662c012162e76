/* The names of streams and operations in pictures and pages. A stream has the names of its tasks; without tasks, the
 * label that all its operations share; else its number. */
#ifndef REPORT_RUN_DISPLAY_NAMES_H
#define REPORT_RUN_DISPLAY_NAMES_H

#include "gridcast/run.h"
#include "report/canvas/font.h"

/* "camera", or "" where it has only a number. Returns out. */
char *stream_name(const gcast_workload *w, size_t stream, char out[LABEL_SIZE]);
/* "camera (stream 2, priority -1)", or "stream 2, priority -1". */
void stream_describe(const gcast_workload *w, size_t stream, char *out, size_t size);
/* "camera", or "stream 2". */
void stream_short(const gcast_workload *w, size_t stream, char *out, size_t size);

/* "K1"; "detect#3" for an operation of a job, or for a child by its call number. A rest has the name of its kernel.
 * Returns out. */
char *timeline_name(const gcast_run *run, size_t op, char out[LABEL_SIZE]);

/* Orders two labels without the numbers of their iterations, from the lengths that workload_label_stem gives: below 0,
 * 0 or above 0. */
int stem_compare(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
