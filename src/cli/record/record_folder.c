#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/record/record_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "cli/say.h"
#include "profile/recorded/recorded_format.h"

#define MAX_DEPTH 64 /* of folders that others made there */

gcast_status record_folder_create(record_folder *f)
{
    const char *named = getenv("TMPDIR");
    char temporary[PATH_MAX];
    *f = (record_folder){0};
    if (!named || !*named)
        named = "/tmp";
    if (!realpath(named, temporary)) /* the program may change its current folder */
        return say(GCAST_RESOURCE, "%s: %s", named, strerror(errno));
    int n = snprintf(f->path, sizeof f->path, "%s/gridcast-record-XXXXXX", temporary);
    errno = ENAMETOOLONG;
    if (n > 0 && (size_t)n < sizeof f->path && mkdtemp(f->path))
        return GCAST_OK;
    gcast_status status = say(GCAST_RESOURCE, "%s: %s", f->path, strerror(errno));
    f->path[0] = '\0';
    return status;
}

/* As the recorder names its files. */
static bool is_recording(const char *name)
{
    static const char ending[] = ".gridcast-record";
    size_t size = strlen(name), length = sizeof ending - 1;
    return name[0] != '.' && size > length && strcmp(name + size - length, ending) == 0;
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
        struct stat about;
        /* Others may have put something there; to open a FIFO would wait for its writer. */
        if (!is_recording(e->d_name) || fstatat(dirfd(folder), e->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode))
            continue;
        if (about.st_size < RECORDED_MAGIC_SIZE) {
            f->unwritten++;
            continue;
        }
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

/* Removes what is in a folder, whose descriptor is closed; links are not followed. */
static void empty_folder(int descriptor, int depth)
{
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!folder && descriptor >= 0)
        close(descriptor);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || unlinkat(dirfd(folder), e->d_name, 0) == 0)
            continue;
        if (depth < MAX_DEPTH)
            empty_folder(openat(dirfd(folder), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1);
        unlinkat(dirfd(folder), e->d_name, AT_REMOVEDIR);
    }
    if (folder)
        closedir(folder);
}

void record_folder_remove(record_folder *f)
{
    if (f->path[0]) {
        empty_folder(open(f->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
        if (rmdir(f->path) != 0)
            say(GCAST_OK, "%s: the folder of the recording stays: %s", f->path, strerror(errno));
    }
    for (size_t i = 0; i < f->count; i++)
        free(f->files[i]);
    free(f->files);
    *f = (record_folder){0};
}
