/* The initial contents of buffers: constants, numbers in order, random numbers that are the
 * same on every machine, lists, and files. */
#ifndef CLI_EXEC_ARGUMENTS_FILL_H
#define CLI_EXEC_ARGUMENTS_FILL_H

#include "cli/exec/arguments/given_arg.h"
#include "cli/exec/arguments/value.h"
#include "gridcast/error.h"

/* As messages list them. */
#define FILL_WORDS "zero, index, const:V, list:V,..., random:SEED[:LO:HI] or file:PATH"

/* Sets `count` elements at `data` as `fill` of the argument says. A relative path in a launch file is from its folder.
 */
gcast_status exec_fill(const value_type *t, const char *fill, void *data, size_t count, const given_arg *arg);

/* Reads a file that must have exactly this many bytes; it is never decompressed. `owner` is for messages. */
gcast_status exec_read_raw(const char *path, void *data, size_t bytes, const char *owner);

#endif
