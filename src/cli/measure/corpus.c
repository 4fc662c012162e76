#include "cli/measure/corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/text.h"
#include "cli/measure/preset.h"
#include "cli/output/output.h"

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

static gcast_status check_plain(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return say_unreadable(path, errno);
    bool gzip = getc(in) == 0x1f && getc(in) == 0x8b;
    fclose(in);
    return gzip ? say(GCAST_USAGE, "--corpus %s: lines are added to plain text only", path) : GCAST_OK;
}

/* Lines are added to a corpus, and to nothing else that is there. */
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
        if (strcmp(a->given[i].spec->name, "output") == 0 && strcmp(a->given[i].value, path) == 0)
            return say(GCAST_USAGE, "--corpus %s: -o writes that, too", path);
    if (output_is_standard(path))
        return say(GCAST_USAGE, "--corpus %s: lines are added to a file", path);
    if (stat(path, &st) != 0)
        return output_check(path, false);
    if (S_ISDIR(st.st_mode) || access(path, W_OK) != 0)
        return say(GCAST_RESOURCE, "%s: %s", path, strerror(S_ISDIR(st.st_mode) ? EISDIR : errno));
    return S_ISREG(st.st_mode) ? check_first_line(path) : GCAST_OK;
}

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

/* Line ends are never part of a value: strings have them escaped. */
static bool on_one_line(void *line, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\n')
            text_char(line, bytes[i]);
    return true;
}

static gcast_status scenario(text *line, const char *family, const gcast_workload *w, gcast_run *const *runs,
                             size_t count, gcast_error *err)
{
    char *workload;
    size_t size;
    gcast_report_options options = gcast_report_options_default();
    options.blocks = true;
    gcast_status status = gcast_workload_write_native(w, &workload, &size, err);
    if (status != GCAST_OK)
        return status;
    text_str(line, "{\"schema\": \"gridcast.corpus/1\", \"family\": ");
    text_json(line, family);
    text_str(line, ", \"workload\": ");
    on_one_line(line, workload, size);
    free(workload);
    text_str(line, ", \"runs\": [");
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        text_str(line, i ? ", " : "");
        status = gcast_run_report(runs[i], GCAST_FORMAT_JSON, &options, on_one_line, line, err);
    }
    text_str(line, "]}\n");
    return status;
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

/* The file as it was, and the line at its end; the end of a line that lacks it comes first. */
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

/* While others add theirs, this one waits, and may be ended. Where files cannot be locked it goes on. */
static void wait_for_others(int fd, const sigset_t *ended_by)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    sigset_t none;
    if (fcntl(fd, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN))
        return;
    sigprocmask(SIG_SETMASK, ended_by, &none);
    while (fcntl(fd, F_SETLKW, &lock) != 0 && errno == EINTR)
        ;
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* No signal ends the process half way. */
static gcast_status append(const char *path, const char *bytes, size_t size)
{
    sigset_t all, before;
    struct stat st;
    bool file = stat(path, &st) != 0 || S_ISREG(st.st_mode); /* else a device or a pipe: written as it is */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int fd = open(path, (file ? O_RDWR : O_WRONLY) | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0 && file)
        wait_for_others(fd, &before);
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
    text line;
    gcast_error err;
    size_t size;
    gcast_status status = name_gpu(w, runs[0]->gpu);
    if (status != GCAST_OK)
        return status;
    w->connections = w->connections < 0 ? runs[0]->connections : w->connections;
    text_open(&line, NULL, NULL);
    status = scenario(&line, family, w, runs, count, &err);
    char *bytes = text_take(&line, &size);
    if (status == GCAST_OK && !bytes)
        status = gcast_error_set_memory(&err);
    if (status != GCAST_OK) {
        free(bytes);
        return say_error(&err);
    }
    status = append(path, bytes, size);
    free(bytes);
    return status;
}
