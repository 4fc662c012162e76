/* What the files that write configurations of the examiner share. */
#ifndef FILES_EXAMINER_WRITE_STATE_H
#define FILES_EXAMINER_WRITE_STATE_H

#include "base/text/text.h"
#include "gridcast/workload.h"

/* What becomes one benchmark: the calls of a host thread, or the ops of a stream that no host calls. */
typedef struct exam_group {
    const size_t *ops; /* indices, in the order of their calls */
    size_t count;      /* of ops */
    int host;          /* or GCAST_NO_HOST */
    int stream;        /* the benchmark's own; -1: the NULL stream or none */
    bool null;         /* all ops go to the NULL stream */
} exam_group;

typedef struct exam_writer {
    const gcast_workload *w; /* what is written */
    text out;                /* the configuration */
    gcast_error *err;        /* of the first error */
    gcast_status status;     /* of the first error */
} exam_writer;

#endif
