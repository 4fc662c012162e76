#include "base/api/options_copy.h"

#include <string.h>

#define MAX_SIZE 65536 /* bytes: no later version has more, and what is not set at all often looks like more */

gcast_status options_copy(void *own, size_t own_size, const void *given, const char *type, gcast_error *err)
{
    size_t size;
    if (!given)
        return GCAST_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%s without a size: %s_default() gives one", type, type);
    if (size > MAX_SIZE)
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
