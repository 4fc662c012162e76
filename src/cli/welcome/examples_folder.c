#include "cli/welcome/examples_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* From the folder of the program to its documentation, as cmake/install.cmake puts them. */
#ifndef GRIDCAST_DOCDIR
#define GRIDCAST_DOCDIR "../share/doc/gridcast"
#endif

/* Joins a folder and what is below it; false where that is too long. */
static bool join(const char *folder, const char *below, char out[PATH_MAX])
{
    int length = snprintf(out, PATH_MAX, "%s%s%s", folder, *folder && strcmp(folder, "/") != 0 ? "/" : "", below);
    return length > 0 && length < PATH_MAX;
}

static bool has_all(const char *folder, const char *const *files)
{
    char path[PATH_MAX], name[256];
    for (; *files; files++) {
        snprintf(name, sizeof name, "examples/%s", *files);
        if (!join(folder, name, path) || access(path, R_OK) != 0)
            return false;
    }
    return true;
}

/* The folder of the program, with links followed: a link to it may be anywhere. */
static bool program_folder(char out[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (length <= 0 || length >= PATH_MAX - 1)
        return false;
    out[length] = '\0';
    char *slash = strrchr(out, '/');
    if (!slash)
        return false;
    slash[slash == out] = '\0';
    return true;
}

/* Takes the ".." at the start of `path` off the folder, so that the path reads well. */
static bool resolve(const char *program, const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    if (*path == '/')
        return join("", path, out);
    snprintf(folder, sizeof folder, "%s", program);
    while (strncmp(path, "..", 2) == 0 && (path[2] == '/' || !path[2])) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        slash[slash == folder] = '\0';
        path += path[2] ? 3 : 2;
    }
    return *path ? join(folder, path, out) : join("", folder, out);
}

bool examples_folder_find(const char *const *files, char folder[PATH_MAX])
{
    static const char *const places[] = {GRIDCAST_DOCDIR, "..", "../.."}; /* the last two: below the source tree */
    char program[PATH_MAX];
    folder[0] = '\0';
    if (has_all("", files))
        return true;
    if (!program_folder(program))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (resolve(program, places[i], folder) && has_all(folder, files))
            return true;
    return false;
}
