#include "profile/reading.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gcast_status prof_file_error(const char *file, gcast_status code, gcast_error *err, const char *format, ...)
{
    char message[sizeof err->message];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    gcast_error_set(err, code, NULL, "%s", message);
    if (err)
        snprintf(err->file, sizeof err->file, "%s", file);
    return code;
}

gcast_status prof_system_error(const char *file, int error_number, gcast_error *err)
{
    bool is_resource = error_number == ENOMEM || error_number == EMFILE || error_number == ENFILE;
    return prof_file_error(file, is_resource ? GCAST_RESOURCE : GCAST_INPUT, err, "%s", strerror(error_number));
}
