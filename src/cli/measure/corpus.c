#include "cli/measure/corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/measure/calibrate.h"
#include "cli/output/output.h"
#include "model/scenario.h"

static gcast_status check_workload(const gcast_workload *w)
{
    if (w->task_count || w->host_count)
        return say(GCAST_INPUT, "%s: a corpus takes no workload with %s", w->source,
                   w->task_count ? "tasks" : "host threads");
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].skip_ns != GCAST_NEVER)
            return say(GCAST_INPUT, "%s: a corpus takes no operation that may be skipped (/ops/%zu)", w->source, i);
    return GCAST_OK;
}

/* The file must not be compressed. */
static gcast_status check_plain(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return say_unreadable(path, errno);
    int first = getc(in), second = getc(in);
    fclose(in);
    return first == 0x1f && second == 0x8b
               ? say(GCAST_USAGE, "--corpus %s: lines can only be added to plain text, not to .gz", path)
               : GCAST_OK;
}

/* A line may be added to a corpus, but not to a file of another kind. */
static gcast_status check_first_line(const char *path)
{
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s = NULL;
    gcast_status status = check_plain(path);
    if (status != GCAST_OK)
        return status;
    status = gcast_corpus_open(path, &corpus, &err);
    if (status == GCAST_OK) {
        status = gcast_corpus_next(corpus, &s, &err);
        gcast_scenario_free(s);
        gcast_corpus_close(corpus);
    }
    if (status == GCAST_RESOURCE)
        return say_error(&err);
    return status == GCAST_OK ? GCAST_OK : say(status, "--corpus %s: is not a corpus: %s", path, err.message);
}

gcast_status corpus_check(const args *a, const char *path, const gcast_workload *w)
{
    struct stat st;
    const char *family = args_value(a, "family");
    gcast_status status = check_workload(w);
    if (status != GCAST_OK)
        return status;
    if (!*(family ? family : w->name))
        return say(GCAST_USAGE, "--corpus %s: the workload has no name; --family NAME gives one", path);
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, "output") && strcmp(a->given[i].value, path) == 0)
            return say(GCAST_USAGE, "--corpus %s: -o writes that, too", path);
    if (output_is_standard(path))
        return say(GCAST_USAGE, "--corpus %s: lines are added to a file", path);
    if (stat(path, &st) != 0)
        return output_check(path, false);
    if (S_ISDIR(st.st_mode) || access(path, W_OK) != 0)
        return say(GCAST_RESOURCE, "%s: %s", path, strerror(S_ISDIR(st.st_mode) ? EISDIR : errno));
    return S_ISREG(st.st_mode) ? check_first_line(path) : GCAST_OK;
}

/* Gives the workload the GPU that it ran on: the preset with its title, if there is one. */
static gcast_status name_gpu(gcast_workload *w, const gcast_gpu *found)
{
    gcast_error err;
    gcast_gpu *gpu;
    gcast_status status = preset_of_title(found->title, &gpu);
    if (status != GCAST_OK)
        return status;
    if (!gpu && gcast_gpu_copy(found, &gpu, &err) != GCAST_OK)
        return say_error(&err);
    gcast_workload_set_gpu(w, gpu);
    return GCAST_OK;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* Adds a line at the end of the file, and first ends the last line if it lacks its newline. On failure the file is cut
 * back to its former size. */
static bool add_line(int fd, const char *bytes, size_t size)
{
    char last = '\n';
    off_t end = lseek(fd, 0, SEEK_END);
    if (end > 0 && pread(fd, &last, 1, end - 1) != 1)
        return false;
    if ((last == '\n' || write_all(fd, "\n", 1)) && write_all(fd, bytes, size))
        return true;
    int reason = errno;
    if (end >= 0 && ftruncate(fd, end) != 0)
        say_note("a line of the corpus is half written");
    errno = reason;
    return false;
}

/* Locks the file, and waits for processes that have locked it; signals may end this process while it waits. Continues
 * if files cannot be locked. */
static void lock_file(int fd, const sigset_t *signals)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    sigset_t blocked;
    if (fcntl(fd, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN))
        return;
    sigprocmask(SIG_SETMASK, signals, &blocked);
    while (fcntl(fd, F_SETLKW, &lock) != 0 && errno == EINTR)
        ;
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}

/* Signals are blocked while the line is written, so that it is written whole. */
static gcast_status append(const char *path, const char *bytes, size_t size)
{
    sigset_t all, before;
    struct stat st;
    bool is_file = stat(path, &st) != 0 || S_ISREG(st.st_mode); /* else a device or a pipe */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int fd = open(path, (is_file ? O_RDWR : O_WRONLY) | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0 && is_file)
        lock_file(fd, &before);
    bool ok = fd >= 0 && add_line(fd, bytes, size);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok ? GCAST_OK : say(GCAST_RESOURCE, "%s: %s", path, strerror(reason));
}

gcast_status corpus_append(const char *path, const char *family, gcast_workload *w, gcast_run *const *runs,
                           size_t count)
{
    gcast_error err;
    gcast_scenario scenario = {.family = family, .workload = w, .runs = (gcast_run **)runs, .run_count = count};
    char *line;
    size_t size;
    for (size_t i = 0; i < count; i++)
        if (runs[i]->hang)
            return say(GCAST_NO, "%s: run %zu hangs: a corpus takes no such run", path, i + 1);
    gcast_status status = name_gpu(w, runs[0]->gpu);
    if (status != GCAST_OK)
        return status;
    w->connections = w->connections < 0 ? runs[0]->connections : w->connections;
    status = gcast_scenario_write(&scenario, &line, &size, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    status = append(path, line, size);
    free(line);
    return status;
}
