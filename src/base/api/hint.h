/* Errors that say what the caller can give so that the call works. */
#ifndef BASE_API_HINT_H
#define BASE_API_HINT_H

#include <stdio.h>

#include "gridcast/error.h"

/* Adds a hint to an error that was just set with this status, which it gives back. */
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

#endif
