/* What public calls share: the error for a missing argument, hints on errors, and options that can grow. */
#ifndef BASE_API_H
#define BASE_API_H

#include <stddef.h>
#include <stdio.h>

#include "gridcast/error.h"

/* GCAST_USAGE: an argument that the call needs is NULL. */
gcast_status argument_missing(gcast_error *err);

/* Hints say what the caller can give so that the call works. */

/* Adds a hint to an error that was just set with this status, which is returned. */
static inline gcast_status hint_add(gcast_error *err, gcast_hint hint, gcast_status status)
{
    if (err)
        err->hint = hint;
    return status;
}

/* Adds the name that the hint is about: the first `length` bytes of a label. */
static inline void hint_name(gcast_error *err, const char *name, size_t length)
{
    if (err)
        snprintf(err->name, sizeof err->name, "%.*s", (int)length, name);
}

/* Options can grow: a caller's struct has the size that it was compiled with, and is copied into the library's own. New
 * fields go to the end of a public struct, not into its former padding. */

/* Copies *given, whose first member is its size_t size, over the defaults in *own, as far as both reach; NULL copies
 * nothing. GCAST_USAGE where the size is below that of the first member, or fields that the library does not know are
 * set. */
gcast_status options_copy(void *own, size_t own_size, const void *given, const char *type, gcast_error *err);

#endif
