#define _GNU_SOURCE /* O_PATH */
#include "cli/output/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif
#define MAX_LINKS 40
#define MAX_ATTEMPTS 100

/* The file that is being written, for the signal handler: set before the file is created. */
static struct {
    atomic_int folder; /* -1: no file is being written */
    char name[sizeof((atomic_file *)0)->temporary];
} unfinished = {.folder = -1};

/* Removes the file, then lets the signal end the process as it would have. */
static void on_signal(int number)
{
    int folder = unfinished.folder;
    if (folder >= 0)
        unlinkat(folder, unfinished.name, 0);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE, SIGXFSZ,
                                  SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2, SIGABRT};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction current;
        if (sigaction(numbers[i], NULL, &current) == 0 && current.sa_handler == SIG_DFL)
            signal(numbers[i], on_signal);
    }
}

static bool join(char out[PATH_MAX], const char *folder, size_t length, const char *name)
{
    char copy[PATH_MAX]; /* folder and out may overlap */
    int n = snprintf(copy, sizeof copy, "%.*s%s", (int)length, folder, name);
    if (n < 0 || (size_t)n >= sizeof copy) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out, copy, (size_t)n + 1);
    return true;
}

size_t path_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool atomic_file_resolve(const char *path, char target[PATH_MAX])
{
    if (!join(target, "", 0, path))
        return false;
    for (int i = 0; i < MAX_LINKS; i++) {
        char link[PATH_MAX];
        ssize_t n = readlink(target, link, sizeof link - 1);
        if (n < 0)
            return true; /* it is no link, or does not exist */
        link[n] = '\0';
        if (!join(target, target, link[0] == '/' ? 0 : path_folder_length(target), link))
            return false;
    }
    errno = ELOOP;
    return false;
}

void atomic_file_cut_to_folder(char target[PATH_MAX])
{
    size_t length = path_folder_length(target);
    if (length)
        target[length] = '\0';
    else
        memcpy(target, ".", 2);
}

bool atomic_file_same(const char *path_a, const char *path_b)
{
    const char *paths[] = {path_a, path_b};
    char target[PATH_MAX], names[2][PATH_MAX];
    struct stat folders[2];
    for (int i = 0; i < 2; i++) {
        if (!atomic_file_resolve(paths[i], target) || !join(names[i], "", 0, target + path_folder_length(target)))
            return false;
        atomic_file_cut_to_folder(target);
        if (stat(target, &folders[i]) != 0)
            return false;
    }
    return folders[0].st_dev == folders[1].st_dev && folders[0].st_ino == folders[1].st_ino &&
           strcmp(names[0], names[1]) == 0;
}

/* Creates a file with a new name. The name is recorded first, so that a signal never leaves the file behind. -1: errno
 * says why. */
static int create_temporary(atomic_file *f, mode_t mode)
{
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(f->temporary, sizeof f->temporary, ".gridcast-%ld-%lld%09ld", (long)getpid(), (long long)now.tv_sec,
                 now.tv_nsec);
        memcpy(unfinished.name, f->temporary, sizeof unfinished.name);
        unfinished.folder = f->folder;
        int fd = openat(f->folder, f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
        unfinished.folder = -1;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* Gives the new file the mode of the replaced one, and its owner where that is allowed. */
static bool copy_mode_and_owner(int fd, const struct stat *replaced)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && (st.st_uid != replaced->st_uid || st.st_gid != replaced->st_gid) &&
        fchown(fd, replaced->st_uid, replaced->st_gid) != 0 && errno != EPERM)
        return false;
    return fchmod(fd, replaced->st_mode & 0777) == 0;
}

FILE *atomic_file_open(atomic_file *f, const char *path, bool replace)
{
    struct stat replaced;
    char folder[PATH_MAX];
    *f = (atomic_file){.folder = -1, .replace = replace};
    if (!replace && lstat(path, &replaced) == 0) {
        errno = EEXIST;
        return NULL;
    }
    if (!atomic_file_resolve(path, f->target))
        return NULL;
    f->name = f->target + path_folder_length(f->target);
    memcpy(folder, f->target, sizeof folder);
    atomic_file_cut_to_folder(folder);
    f->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0)
        return NULL;
    catch_signals();
    bool exists = replace && stat(f->target, &replaced) == 0;
    int fd = create_temporary(f, exists ? replaced.st_mode & 0777 : 0666);
    FILE *file = fd >= 0 && (!exists || copy_mode_and_owner(fd, &replaced)) ? fdopen(fd, "wb") : NULL;
    if (!file) {
        int reason = errno;
        if (fd >= 0)
            close(fd);
        atomic_file_drop(f);
        errno = reason;
    }
    return file;
}

/* Gives the file its name only if no file has that name: with a hard link. On file systems without links, an empty file
 * is created and renamed over, with signals blocked so that none leaves the empty file behind. */
static bool rename_to_new(const atomic_file *f)
{
    sigset_t all, before;
    if (linkat(f->folder, f->temporary, f->folder, f->name, 0) == 0)
        return unlinkat(f->folder, f->temporary, 0) == 0;
    if (errno == EEXIST)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int fd = openat(f->folder, f->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && renameat(f->folder, f->temporary, f->folder, f->name) == 0;
    int reason = errno;
    if (fd >= 0 && !ok)
        unlinkat(f->folder, f->name, 0);
    if (fd >= 0)
        close(fd);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return ok;
}

bool atomic_file_keep(atomic_file *f)
{
    bool ok = f->replace ? renameat(f->folder, f->temporary, f->folder, f->name) == 0 : rename_to_new(f);
    int reason = errno;
    if (ok) {
        unfinished.folder = -1;
        close(f->folder);
        f->folder = -1;
    } else {
        atomic_file_drop(f);
    }
    errno = reason;
    return ok;
}

void atomic_file_drop(atomic_file *f)
{
    if (f->folder < 0)
        return;
    if (unfinished.folder >= 0)
        unlinkat(f->folder, f->temporary, 0);
    unfinished.folder = -1;
    close(f->folder);
    f->folder = -1;
}
