/* Single operations in a configuration of the examiner, and which of them cannot be written there. */
#ifndef FILES_EXAMINER_WRITE_WRITE_OP_H
#define FILES_EXAMINER_WRITE_WRITE_OP_H

#include "files/examiner/write/state.h"

/* Keeps the first error, with the path and label of the op. */
void exam_write_fail(exam_writer *x, size_t op, const char *reason);
/* Nanoseconds as seconds, exactly. */
void exam_write_seconds(exam_writer *x, size_t op, int64_t ns);
/* Fails where a kernel of this shape cannot be one of the examiner's. */
void exam_check_kernel(exam_writer *x, size_t op);
/* sm_mask of a kernel that has one. */
void exam_write_mask(exam_writer *x, size_t op);
/* The group as actions of a stream_action benchmark. */
void exam_write_actions(exam_writer *x, const exam_group *g);

#endif
