/* What the readers of profiles share: options, and errors of files. */
#ifndef PROFILE_READING_H
#define PROFILE_READING_H

#include <stdbool.h>

#include "gridcast/error.h"

typedef struct prof_read_options {
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;                           /* for `progress` */
} prof_read_options;

/* An error that is the file's. Returns `code`. */
gcast_status prof_file_error(const char *file, gcast_status code, gcast_error *err, const char *format, ...)
    GCAST_PRINTF(4, 5);
/* The file's, by errno; GCAST_RESOURCE where the process lacks memory or descriptors. */
gcast_status prof_system_error(const char *file, int error_number, gcast_error *err);

#endif
