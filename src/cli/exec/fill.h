/* What buffers start with: constants, numbers in order, random numbers that are
 * the same on every machine, lists, and files. */
#ifndef CLI_EXEC_FILL_H
#define CLI_EXEC_FILL_H

#include "cli/exec/value.h"
#include "gridcast/error.h"

/* What the help and the messages call them. */
#define FILL_WORDS "zero, index, const:V, list:V,..., random:SEED[:LO:HI] or file:PATH"

/* `count` elements at `data` as `fill` says; `arg` is for messages. */
gcast_status exec_fill(const value_type *t, const char *fill, void *data, size_t count, const char *arg);

/* A file of exactly so many bytes; nothing in it means compression. */
gcast_status exec_read_raw(const char *path, void *data, size_t bytes, const char *what);

#endif
