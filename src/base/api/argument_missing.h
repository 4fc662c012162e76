/* What a public call says where an argument that it needs is NULL. */
#ifndef BASE_API_ARGUMENT_MISSING_H
#define BASE_API_ARGUMENT_MISSING_H

#include "gridcast/error.h"

/* GCAST_USAGE. */
gcast_status argument_missing(gcast_error *err);

#endif
