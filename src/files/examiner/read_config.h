/* Reads configurations of the CUDA scheduling examiner. */
#ifndef FILES_EXAMINER_READ_CONFIG_H
#define FILES_EXAMINER_READ_CONFIG_H

#include <stddef.h>

#include "files/examiner/benchmark.h"

/* gcast_workload_read_examiner with complete options. Adds the names of the logs to `logs` unless that is NULL; the
 * caller frees them, also after a failure. */
gcast_status examiner_read(const char *text, size_t size, const char *file, const gcast_read_options *options,
                           exam_host_logs *logs, gcast_workload **w, gcast_error *err);
void examiner_host_logs_free(exam_host_logs *logs);

/* Reads a configuration, of a file or of a nested task_host, with the keys and defaults of the examiner's
 * parse_config.c. It takes the file, start, process and depth from `outer`. */
void examiner_config(const exam_config *outer, const node *n);

/* A copy of the text in which every key that starts with "comment" is replaced by a different "x-" key of the same
 * length, since files have several of them in one object. NULL without memory. */
char *examiner_rename_comments(const char *text, size_t size);

#endif
