/* The writer of examiner configurations, shared by its files. */
#ifndef FILES_EXAMINER_WRITE_H
#define FILES_EXAMINER_WRITE_H

#include "base/text/text.h"
#include "gridcast/workload.h"

/* What becomes one benchmark: the calls of a host thread, or the ops of a
 * stream that no host calls. */
typedef struct exam_group {
    const size_t *ops; /* indices, in the order of their calls */
    size_t count;
    int host;   /* or GCAST_NO_HOST */
    int stream; /* the benchmark's own; -1: the NULL stream or none */
    bool null;  /* everything goes to the NULL stream */
} exam_group;

typedef struct exam_writer {
    const gcast_workload *w;
    text out;
    gcast_error *err;
    gcast_status status;
} exam_writer;

/* Keep the first error, with the op's path and label. */
void exam_write_fail(exam_writer *x, size_t op, const char *what);
/* Nanoseconds as seconds, exactly. */
void exam_write_seconds(exam_writer *x, size_t op, int64_t ns);
/* Can a kernel of this shape be one of the examiner's? */
void exam_check_kernel(exam_writer *x, size_t op);
/* sm_mask of a kernel that has one. */
void exam_write_mask(exam_writer *x, size_t op);
/* The group as actions of a stream_action benchmark. */
void exam_write_actions(exam_writer *x, const exam_group *g);

#endif
