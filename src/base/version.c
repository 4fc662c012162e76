#include "gridcast/version.h"

const char *gcast_version(void)
{
    return GCAST_VERSION;
}
