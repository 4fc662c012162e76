/* Options that can grow: a caller's struct, of the size that it was compiled with, becomes the library's own. New
 * fields go to the end of a public struct, where none of the earlier padding is. */
#ifndef BASE_API_OPTIONS_COPY_H
#define BASE_API_OPTIONS_COPY_H

#include <stddef.h>

#include "gridcast/error.h"

/* Copies *given, whose first member is its size_t size, over the defaults in *own, as far as both reach; NULL copies
 * nothing. GCAST_USAGE where the size is below that of the first member, or fields that are not known here are set. */
gcast_status options_copy(void *own, size_t own_size, const void *given, const char *type, gcast_error *err);

#endif
