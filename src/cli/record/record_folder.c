#include "cli/record/record_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "cli/say.h"

gcast_status record_folder_create(record_folder *f)
{
    const char *temporary = getenv("TMPDIR");
    *f = (record_folder){0};
    int n =
        snprintf(f->path, sizeof f->path, "%s/gridcast-record-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    errno = ENAMETOOLONG;
    if (n > 0 && (size_t)n < sizeof f->path && mkdtemp(f->path))
        return GCAST_OK;
    gcast_status status = say(GCAST_RESOURCE, "%s: %s", f->path, strerror(errno));
    f->path[0] = '\0';
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

gcast_status record_folder_list(record_folder *f)
{
    VEC(char *) list = {0};
    DIR *folder = opendir(f->path);
    if (!folder)
        return say_unreadable(f->path, errno);
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(folder));) {
        char path[PATH_MAX + 300];
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", f->path, e->d_name);
        char *copy = strdup(path);
        ok = copy && vec_push(&list, copy);
        if (!ok)
            free(copy);
    }
    closedir(folder);
    f->files = list.at;
    f->count = list.count;
    if (f->count)
        qsort(f->files, f->count, sizeof *f->files, by_name);
    return ok ? GCAST_OK : say_no_memory();
}

void record_folder_remove(record_folder *f)
{
    DIR *folder = f->path[0] ? opendir(f->path) : NULL;
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(folder), e->d_name, 0);
    if (folder)
        closedir(folder);
    if (f->path[0])
        rmdir(f->path);
    for (size_t i = 0; i < f->count; i++)
        free(f->files[i]);
    free(f->files);
    *f = (record_folder){0};
}
