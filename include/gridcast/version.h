/* The version, of the header and of the library. */
#ifndef GRIDCAST_VERSION_H
#define GRIDCAST_VERSION_H

#include "gridcast/api.h"
#include "gridcast/error.h"

GCAST_BEGIN_DECLS

/* Of the header. CMakeLists.txt has it too, and refuses to be configured where the two differ. */
#define GCAST_VERSION_MAJOR 1
#define GCAST_VERSION_MINOR 0
#define GCAST_VERSION_PATCH 0

/* One number that grows with the version: 10203 for 1.2.3. */
#define GCAST_VERSION_NUMBER (GCAST_VERSION_MAJOR * 10000 + GCAST_VERSION_MINOR * 100 + GCAST_VERSION_PATCH)

#define GCAST_VERSION_QUOTE(x) #x
#define GCAST_VERSION_JOIN(x, y, z) GCAST_VERSION_QUOTE(x) "." GCAST_VERSION_QUOTE(y) "." GCAST_VERSION_QUOTE(z)
#define GCAST_VERSION GCAST_VERSION_JOIN(GCAST_VERSION_MAJOR, GCAST_VERSION_MINOR, GCAST_VERSION_PATCH) /* as text */

/* The version of the library that is linked, not of the header: as text and as a number. */
GCAST_API const char *gcast_version(void);
GCAST_API int gcast_version_number(void);

/* May a program that was compiled with headers of version `number` use this library? GCAST_OK where the major version
 * is the same and the library is not older; else GCAST_USAGE. */
GCAST_API gcast_status gcast_version_check(int number, gcast_error *err);

/* Checks the headers that the calling program was compiled with. */
#define GCAST_VERSION_CHECK(err) gcast_version_check(GCAST_VERSION_NUMBER, err)

GCAST_END_DECLS

#endif
