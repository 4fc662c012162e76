/* Configurations of the CUDA scheduling examiner, for other readers of its files. */
#ifndef FILES_EXAMINER_READ_EXAMINER_H
#define FILES_EXAMINER_READ_EXAMINER_H

#include "files/examiner/read/state.h"

/* gcast_workload_read_examiner with options that are complete; the names of the logs are added to `logs` unless that is
 * NULL. The caller frees them, also after a failure. */
gcast_status examiner_read(const char *text, size_t size, const char *file, const gcast_read_options *options,
                           exam_host_logs *logs, gcast_workload **w, gcast_error *err);
void examiner_host_logs_free(exam_host_logs *logs);

#endif
