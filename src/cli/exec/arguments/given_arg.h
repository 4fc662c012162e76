/* One argument of a launch as it was given, by --arg or in a launch file, and errors about it. */
#ifndef CLI_EXEC_ARGUMENTS_GIVEN_ARG_H
#define CLI_EXEC_ARGUMENTS_GIVEN_ARG_H

#include <stddef.h>

#include "gridcast/error.h"

typedef struct given_arg {
    const char *words; /* TYPE:VALUE, NAME=TYPE[COUNT]:FILL, or NAME */
    const char *file;  /* the launch file that has it; NULL: the command line */
    size_t index;      /* in the launch file's args */
} given_arg;

/* Prints an error about an argument; `format` goes on after its words. Returns GCAST_USAGE, or GCAST_INPUT for a launch
 * file. */
gcast_status given_arg_fail(const given_arg *arg, const char *format, ...) GCAST_PRINTF(2, 3);
/* Prints an error about the value at `path` of a launch file. Returns GCAST_INPUT. */
gcast_status launch_file_fail(const char *file, const char *path, const char *format, ...) GCAST_PRINTF(3, 4);

#endif
