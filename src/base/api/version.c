/* The version of the library, and which programs may use it. */
#include "gridcast/version.h"

#include <stddef.h>

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
