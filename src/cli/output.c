#include "cli/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary file of the output that is open; commands open one at a time. */
static char unfinished[sizeof((output *)0)->temporary];

bool output_is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "-.", 2) == 0;
}

/* Files are made beside the one whose place they take. */
static bool folder_is_open(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool ok = folder && access(folder, W_OK | X_OK) == 0;
    int reason = errno;
    free(folder);
    errno = reason;
    return ok;
}

gcast_status output_check(const char *path, bool force)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (!*path)
        return say(GCAST_USAGE, "an output file has no name");
    if (output_is_standard(path) || (exists && !S_ISREG(st.st_mode)))
        return GCAST_OK;
    if (exists && !force)
        return say(GCAST_RESOURCE, "%s: exists; --force overwrites it", path);
    if (!folder_is_open(path))
        return say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
    return GCAST_OK;
}

static bool is_output(const args *a, size_t i)
{
    return strcmp(a->given[i].spec->name, "output") == 0;
}

gcast_status output_one(const args *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->given_count; i++)
        count += is_output(a, i);
    return count > 1 ? say(GCAST_USAGE, "%s writes one file: give one -o", a->cmd->name) : GCAST_OK;
}

static bool is_same_file(const char *path, const struct stat *file)
{
    struct stat st;
    return path && stat(path, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* Of files that others of the command line name, none is lost to this -o, whatever --force says. */
static gcast_status spare_others(const args *a, size_t i)
{
    const char *path = a->given[i].value;
    struct stat st;
    for (size_t k = 0; k < i; k++)
        if (is_output(a, k) && strcmp(a->given[k].value, path) == 0)
            return say(GCAST_USAGE, "-o %s: is there twice", path);
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return GCAST_OK;
    bool read = false;
    for (size_t k = 0; k < a->operand_count; k++)
        read = read || is_same_file(a->operands[k], &st);
    for (size_t k = 0; k < a->given_count; k++)
        read = read || (!is_output(a, k) && is_same_file(a->given[k].value, &st));
    return read ? say(GCAST_USAGE, "-o %s: is a file that is read", path) : GCAST_OK;
}

gcast_status outputs_check(const args *a, const char *held)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *path = a->given[i].value;
        if (!is_output(a, i))
            continue;
        if (!output_is_standard(path)) {
            status = spare_others(a, i);
            status = status == GCAST_OK ? output_check(path, args_has(a, "force")) : status;
        } else if (held)
            status = say(GCAST_USAGE, "-o %s: standard output is taken by %s", path, held);
        else
            held = path;
    }
    return status;
}

static void remove_temporary(const output *o)
{
    unlink(o->temporary);
    unfinished[0] = '\0';
}

/* Removes what is half written, and ends as the signal would have. */
static void on_signal(int number)
{
    if (unfinished[0])
        unlink(unfinished);
    signal(number, SIG_DFL);
    raise(number);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNALS (sizeof signals / sizeof signals[0])

static void catch_signals(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            signal(signals[i], on_signal);
    }
}

/* mkstemp, and no signal comes before it is known that the file is there. */
static int make_temporary(output *o)
{
    sigset_t held, before;
    sigemptyset(&held);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&held, signals[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    int fd = mkstemp(o->temporary), reason = errno;
    if (fd >= 0) {
        memcpy(unfinished, o->temporary, sizeof unfinished);
        catch_signals();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return fd;
}

gcast_status output_open(output *o, const char *path, bool force)
{
    *o = (output){.name = "standard output"};
    if (output_is_standard(path)) {
        o->file = stdout;
        return GCAST_OK;
    }
    o->name = path;
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode)) { /* a device or a pipe: written as it is */
        o->file = fopen(path, "wb");
        return o->file ? GCAST_OK : say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
    }
    gcast_status status = output_check(path, force);
    if (status != GCAST_OK)
        return status;
    o->path = path;
    int n = snprintf(o->temporary, sizeof o->temporary, "%s.XXXXXX", path);
    if (n < 0 || (size_t)n >= sizeof o->temporary)
        return say(GCAST_RESOURCE, "%s: name too long", path);
    int fd = make_temporary(o);
    if (fd < 0)
        return say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, exists ? st.st_mode & 0777 : 0666 & ~mask);
    o->file = fdopen(fd, "wb");
    if (o->file)
        return GCAST_OK;
    close(fd);
    remove_temporary(o);
    return say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
}

bool output_write(void *data, const char *bytes, size_t size)
{
    output *o = data;
    return fwrite(bytes, 1, size, o->file) == size;
}

gcast_status output_close(output *o, bool keep)
{
    if (!o->file)
        return GCAST_OK;
    bool ok = fflush(o->file) == 0 && !ferror(o->file);
    int reason = errno;
    if (o->file != stdout && fclose(o->file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    o->file = NULL;
    if (o->path && (!keep || !ok))
        remove_temporary(o);
    if (!ok)
        return say(GCAST_RESOURCE, "%s: %s", o->name, strerror(reason));
    if (o->path && keep && rename(o->temporary, o->path) != 0) {
        reason = errno;
        remove_temporary(o);
        return say(GCAST_RESOURCE, "%s: %s", o->path, strerror(reason));
    }
    unfinished[0] = '\0';
    return GCAST_OK;
}
