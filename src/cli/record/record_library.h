/* Where libgridcast-record.so is. */
#ifndef CLI_RECORD_RECORD_LIBRARY_H
#define CLI_RECORD_RECORD_LIBRARY_H

#include <limits.h>

#include "gridcast/error.h"

/* Beside the command, as it is built, or in the folder of libraries, as it is installed; GRIDCAST_RECORD_LIBRARY names
 * another. Errors are printed. */
gcast_status record_library_find(char path[PATH_MAX]);

#endif
