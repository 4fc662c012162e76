#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/record/record_library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"

#define LIBRARY "libgridcast-record.so"
#ifndef GRIDCAST_LIBRARIES /* from the folder of the command to that of libraries, once installed */
#define GRIDCAST_LIBRARIES "../lib"
#endif

gcast_status record_library_find(char path[PATH_MAX])
{
    static const char *const folders[] = {"", GRIDCAST_LIBRARIES "/", "../lib/"};
    char command[PATH_MAX], candidate[PATH_MAX + sizeof GRIDCAST_LIBRARIES + sizeof LIBRARY + 2];
    const char *named = getenv("GRIDCAST_RECORD_LIBRARY");
    if (named && *named)
        return realpath(named, path) ? GCAST_OK : say(GCAST_RESOURCE, "%s: %s", named, strerror(errno));
    ssize_t size = readlink("/proc/self/exe", command, sizeof command - 1);
    if (size < 0)
        return say(GCAST_RESOURCE, "/proc/self/exe: %s", strerror(errno));
    command[size] = '\0';
    char *slash = strrchr(command, '/');
    command[slash ? slash + 1 - command : 0] = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(candidate, sizeof candidate, "%s%s" LIBRARY, command, folders[i]);
        if (realpath(candidate, path))
            return GCAST_OK;
    }
    return say(GCAST_RESOURCE, "%s" LIBRARY ": is not there, nor in %s%s", command, command, GRIDCAST_LIBRARIES);
}
