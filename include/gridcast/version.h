/* The version, of the header and of the library. */
#ifndef GRIDCAST_VERSION_H
#define GRIDCAST_VERSION_H

#define GCAST_VERSION "0.1.0"

/* The version of the library that is linked, not of the header. */
const char *gcast_version(void);

#endif
