#include "base/api/argument_missing.h"

#include <stddef.h>

gcast_status argument_missing(gcast_error *err)
{
    return gcast_error_set(err, GCAST_USAGE, NULL, "an argument that the call needs is NULL");
}
