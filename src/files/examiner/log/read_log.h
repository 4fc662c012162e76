/* One log of the CUDA scheduling examiner: the file that WriteOutputHeader, WriteCPUTimesToOutput and
 * WriteTimesToOutput of its task_host.c write. */
#ifndef FILES_EXAMINER_LOG_READ_LOG_H
#define FILES_EXAMINER_LOG_READ_LOG_H

#include "files/examiner/log/state.h"
#include "files/json/object.h"

/* Reads the log in a document into *log, which is zeroed and is freed by the caller also on failure. */
gcast_status log_read(document *d, exam_log *log);
void log_free(exam_log *log);
/* An error at a key of a kernel in `times`, or of the log where there is no kernel; at the kernel or the log where
 * there is no key. */
gcast_status log_fail(const exam_log *log, const log_kernel *kernel, const char *key, gcast_error *err,
                      const char *format, ...) GCAST_PRINTF(5, 6);

#endif
