#define _GNU_SOURCE /* O_PATH */
#include "cli/output/whole_file.h"

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
#define MOST_LINKS 40
#define MOST_NAMES 100

/* What is not yet whole, for the handler. The name is there before the file is. */
static struct {
    atomic_int folder; /* -1: nothing */
    char name[sizeof((whole_file *)0)->temporary];
} unfinished = {.folder = -1};

/* Ends as the signal would have. */
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
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            signal(numbers[i], on_signal);
    }
}

static bool join(char out[PATH_MAX], const char *folder, size_t length, const char *name)
{
    char copy[PATH_MAX]; /* folder may be in out */
    int n = snprintf(copy, sizeof copy, "%.*s%s", (int)length, folder, name);
    if (n < 0 || (size_t)n >= sizeof copy) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out, copy, (size_t)n + 1);
    return true;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool whole_file_place(const char *path, char target[PATH_MAX])
{
    if (!join(target, "", 0, path))
        return false;
    for (int i = 0; i < MOST_LINKS; i++) {
        char to[PATH_MAX];
        ssize_t n = readlink(target, to, sizeof to - 1);
        if (n < 0)
            return true; /* no link, or nothing */
        to[n] = '\0';
        if (!join(target, target, to[0] == '/' ? 0 : folder_length(target), to))
            return false;
    }
    errno = ELOOP;
    return false;
}

void whole_file_folder(char target[PATH_MAX])
{
    size_t length = folder_length(target);
    if (length)
        target[length] = '\0';
    else
        memcpy(target, ".", 2);
}

bool whole_file_same(const char *one, const char *other)
{
    const char *paths[] = {one, other};
    char target[PATH_MAX], names[2][PATH_MAX];
    struct stat folders[2];
    for (int i = 0; i < 2; i++) {
        if (!whole_file_place(paths[i], target) || !join(names[i], "", 0, target + folder_length(target)))
            return false;
        whole_file_folder(target);
        if (stat(target, &folders[i]) != 0)
            return false;
    }
    return folders[0].st_dev == folders[1].st_dev && folders[0].st_ino == folders[1].st_ino &&
           strcmp(names[0], names[1]) == 0;
}

/* A name that nobody has: recorded first, so that there is no moment at which a signal would leave the file. */
static int make(whole_file *f, mode_t mode)
{
    for (int i = 0; i < MOST_NAMES; i++) {
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

/* The one that is replaced keeps its mode, and its owner where that is allowed. */
static bool take_after(int fd, const struct stat *old)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && (st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM)
        return false;
    return fchmod(fd, old->st_mode & 0777) == 0;
}

FILE *whole_file_open(whole_file *f, const char *path, bool replace)
{
    struct stat old;
    char folder[PATH_MAX];
    *f = (whole_file){.folder = -1, .replace = replace};
    if (!replace && lstat(path, &old) == 0) {
        errno = EEXIST;
        return NULL;
    }
    if (!whole_file_place(path, f->target))
        return NULL;
    f->name = f->target + folder_length(f->target);
    memcpy(folder, f->target, sizeof folder);
    whole_file_folder(folder);
    f->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0)
        return NULL;
    catch_signals();
    bool exists = replace && stat(f->target, &old) == 0;
    int fd = make(f, exists ? old.st_mode & 0777 : 0666);
    FILE *file = fd >= 0 && (!exists || take_after(fd, &old)) ? fdopen(fd, "wb") : NULL;
    if (!file) {
        int reason = errno;
        if (fd >= 0)
            close(fd);
        whole_file_drop(f);
        errno = reason;
    }
    return file;
}

/* One of several gets the name: by a link; or, on file systems without links, by an empty file that is then replaced.
 * Signals wait, so that none leaves that. */
static bool put_new(const whole_file *f)
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

bool whole_file_keep(whole_file *f)
{
    bool ok = f->replace ? renameat(f->folder, f->temporary, f->folder, f->name) == 0 : put_new(f);
    int reason = errno;
    if (ok) {
        unfinished.folder = -1;
        close(f->folder);
        f->folder = -1;
    } else {
        whole_file_drop(f);
    }
    errno = reason;
    return ok;
}

void whole_file_drop(whole_file *f)
{
    if (f->folder < 0)
        return;
    if (unfinished.folder >= 0)
        unlinkat(f->folder, f->temporary, 0);
    unfinished.folder = -1;
    close(f->folder);
    f->folder = -1;
}
