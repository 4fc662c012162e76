/* gridcast --schema [NAME]: the fields of results. */
#ifndef CLI_SCHEMA_H
#define CLI_SCHEMA_H

#include "gridcast/error.h"

/* Prints the fields of a format; without a name all formats. */
gcast_status print_schema(const char *name);

#endif
