/* Arguments of a launch as they are given, by --arg or in a launch file: errors about them, and the initial contents of
 * buffers (constants, numbers in order, random numbers that are the same on every machine, lists, and files). */
#ifndef CLI_EXEC_BUFFER_FILL_H
#define CLI_EXEC_BUFFER_FILL_H

#include <stddef.h>

#include "cli/exec/value.h"
#include "gridcast/error.h"

typedef struct given_arg {
    const char *words; /* TYPE:VALUE, NAME=TYPE[COUNT]:FILL, or NAME */
    const char *file;  /* the launch file that has it; NULL: the command line */
    size_t index;      /* in the launch file's args */
} given_arg;

/* Prints an error about an argument; `format` continues behind its words. Returns GCAST_USAGE, or GCAST_INPUT for a
 * launch file. */
gcast_status given_arg_fail(const given_arg *arg, const char *format, ...) GCAST_PRINTF(2, 3);
/* Prints an error about the value at `path` of a launch file. Returns GCAST_INPUT. */
gcast_status launch_file_fail(const char *file, const char *path, const char *format, ...) GCAST_PRINTF(3, 4);

/* How messages list the fills. */
#define FILL_WORDS "zero, index, const:V, list:V,..., random:SEED[:LO:HI] or file:PATH"

/* Sets `count` elements at `data` as `fill`, which is the end of the argument, says. A relative path in a launch file
 * is relative to its folder. */
gcast_status exec_fill(const value_type *t, const char *fill, void *data, size_t count, const given_arg *arg);

/* Reads a file that must have exactly this many bytes; it is never decompressed. `owner` is what takes them, for
 * messages. */
gcast_status exec_read_raw(const char *path, void *data, size_t bytes, const char *owner);

#endif
