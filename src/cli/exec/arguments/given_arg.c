#include "cli/exec/arguments/given_arg.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/say.h"

#define MAX_MESSAGE 1024

gcast_status launch_file_fail(const char *file, const char *path, const char *format, ...)
{
    char message[MAX_MESSAGE];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    gcast_error err;
    gcast_error_set(&err, GCAST_INPUT, path, "%s", message);
    snprintf(err.file, sizeof err.file, "%s", file);
    return say_error(&err);
}

gcast_status given_arg_fail(const given_arg *arg, const char *format, ...)
{
    char message[MAX_MESSAGE], path[32];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (!arg->file)
        return say(GCAST_USAGE, "--arg %s%s", arg->words, message);
    snprintf(path, sizeof path, "/args/%zu", arg->index);
    return launch_file_fail(arg->file, path, "%s%s", arg->words, message);
}
