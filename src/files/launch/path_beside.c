#include "files/launch/path_beside.h"

#include <stdlib.h>
#include <string.h>

char *path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    size_t folder = slash && path[0] != '/' ? (size_t)(slash - file) + 1 : 0, length = strlen(path);
    char *joined = malloc(folder + length + 1);
    if (!joined)
        return NULL;
    memcpy(joined, file, folder);
    memcpy(joined + folder, path, length + 1);
    return joined;
}

char *path_beside_file(const char *file, const char *name)
{
    return path_beside(file, strcmp(name, "-") == 0 ? "./-" : name);
}
