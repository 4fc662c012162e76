/* Calls `visit` with the path of every file below a folder of the source tree;
 * how many there were. */
#ifndef TESTS_EACH_FILE_H
#define TESTS_EACH_FILE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static inline char *joined(const char *folder, const char *name)
{
    char *path = malloc(strlen(folder) + strlen(name) + 2);
    assert_non_null(path);
    sprintf(path, "%s/%s", folder, name);
    return path;
}

static inline size_t each_file(const char *folder, const char *ending, void (*visit)(const char *path))
{
    char *folder_path = joined(SOURCE_DIR, folder);
    DIR *dir = opendir(folder_path);
    free(folder_path);
    size_t count = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t length = strlen(e->d_name), end = strlen(ending);
        if (e->d_name[0] == '.')
            continue;
        char *child = joined(folder, e->d_name);
        if (length > end && strcmp(e->d_name + length - end, ending) == 0) {
            visit(child);
            count++;
        } else {
            count += each_file(child, ending, visit);
        }
        free(child);
    }
    if (dir)
        closedir(dir);
    return count;
}

#endif
