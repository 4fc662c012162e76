#include "base/api.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/error.h"
#include "gridcast/memory.h"
#include "gridcast/version.h"

/* Bytes of an options struct: no later version has more, and an uninitialized size often looks like more. */
#define MAX_OPTIONS_BYTES 65536

gcast_status argument_missing(gcast_error *err)
{
    return gcast_error_set(err, GCAST_USAGE, NULL, "an argument that the call needs is NULL");
}

/* Every failure is reported to the caller in a gcast_error. */

gcast_status gcast_error_set(gcast_error *err, gcast_status code, const char *path, const char *format, ...)
{
    if (!format)
        return argument_missing(err);
    if (!err)
        return code;
    err->code = code;
    err->hint = GCAST_HINT_NONE;
    err->name[0] = '\0';
    err->line = err->column = 0;
    err->file[0] = '\0';
    snprintf(err->path, sizeof err->path, "%s", path ? path : "");
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return code;
}

gcast_status gcast_error_set_memory(gcast_error *err)
{
    return gcast_error_set(err, GCAST_RESOURCE, NULL, "not enough memory");
}

/* For programs that cannot call free() themselves. */
void gcast_memory_free(void *memory)
{
    free(memory);
}

gcast_status options_copy(void *own, size_t own_size, const void *given, const char *type, gcast_error *err)
{
    size_t size;
    if (!given)
        return GCAST_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%s without a size: %s_default() gives one", type, type);
    if (size > MAX_OPTIONS_BYTES)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%s of %zu bytes: %s_default() gives their size", type, size,
                               type);
    const unsigned char *bytes = given;
    for (size_t i = own_size; i < size; i++)
        if (bytes[i])
            return gcast_error_set(err, GCAST_USAGE, NULL,
                                   "%s of %zu bytes, of which the library knows %zu: the program was compiled for a "
                                   "later version",
                                   type, size, own_size);
    memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return GCAST_OK;
}

/* The version of the library says which programs may use it. */

const char *gcast_version(void)
{
    return GCAST_VERSION;
}

int gcast_version_number(void)
{
    return GCAST_VERSION_NUMBER;
}

gcast_status gcast_version_check(int number, gcast_error *err)
{
    if (number / 10000 == GCAST_VERSION_MAJOR && number <= GCAST_VERSION_NUMBER)
        return GCAST_OK;
    return gcast_error_set(err, GCAST_USAGE, NULL,
                           "the program was compiled for gridcast %d.%d.%d, and the library is " GCAST_VERSION,
                           number / 10000, number / 100 % 100, number % 100);
}
