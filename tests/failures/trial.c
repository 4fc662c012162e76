#include "trial.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXISTING_CONTENTS "what was there before\n"
#define MAX_RUN_SECONDS 300 /* seconds; a run that takes longer is taken for one that waits for ever */

int gridcast_main(int argc, char **argv);

static char folder[256], work_folder[300], out_path[300];
static failing_plan *shared;

static void give_up(const char *subject)
{
    perror(subject);
    _exit(2);
}

void trial_begin(const char *data)
{
    const char *tmp = getenv("TMPDIR");
    char link[320];
    snprintf(folder, sizeof folder, "%.200s/gridcast-failures-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        give_up(folder);
    snprintf(work_folder, sizeof work_folder, "%s/work", folder);
    snprintf(out_path, sizeof out_path, "%s/out", folder);
    snprintf(link, sizeof link, "%s/root", work_folder);
    if (mkdir(work_folder, 0777) != 0 || symlink(data, link) != 0)
        give_up(work_folder);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        give_up("mmap");
}

static bytes read_pipe(int fd)
{
    bytes b = {.at = malloc(65536)};
    for (ssize_t n; b.at && (n = read(fd, b.at + b.size, 65535 - b.size)) > 0;)
        b.size += (size_t)n;
    if (!b.at)
        give_up("read");
    b.at[b.size] = '\0';
    close(fd);
    return b;
}

static bytes read_file(const char *path)
{
    struct stat st;
    bytes b = {0};
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0 || !(b.at = malloc((size_t)st.st_size + 1)))
        give_up(path);
    for (ssize_t n; b.size < (size_t)st.st_size; b.size += (size_t)n)
        if ((n = read(fd, b.at + b.size, (size_t)st.st_size - b.size)) <= 0)
            give_up(path);
    b.at[b.size] = '\0';
    close(fd);
    return b;
}

/* Reads every file below the folder and removes it; without `o` it only removes them. */
static void collect(const char *path, const char *name, outcome *o)
{
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char child[600], full_path[600];
        struct stat st;
        snprintf(child, sizeof child, "%s%s%s", name, *name ? "/" : "", e->d_name);
        snprintf(full_path, sizeof full_path, "%s/%s", path, e->d_name);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || (o && strcmp(child, "root") == 0))
            continue;
        if (lstat(full_path, &st) == 0 && S_ISDIR(st.st_mode)) {
            collect(full_path, child, o);
            rmdir(full_path);
            continue;
        }
        if (o && o->file_count < MAX_FILES) {
            o->files[o->file_count] = S_ISREG(st.st_mode) ? read_file(full_path) : (bytes){0};
            o->files[o->file_count++].name = strdup(child);
        }
        unlink(full_path);
    }
    if (dir)
        closedir(dir);
}

void trial_end(void)
{
    collect(folder, "", NULL);
    rmdir(folder);
}

static void redirect(const char *path, int flags, int descriptor)
{
    int fd = open(path, flags, 0666);
    if (fd < 0 || dup2(fd, descriptor) < 0)
        give_up(path);
    close(fd);
}

/* The contents of the file that exists before the run. */
static bytes existing_bytes(const command_line *c)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", work_folder, c->existing_source ? c->existing_source : "");
    return c->existing_source ? read_file(path)
                              : (bytes){.at = strdup(EXISTING_CONTENTS), .size = sizeof EXISTING_CONTENTS - 1};
}

static void create_existing(const command_line *c)
{
    char path[600];
    bytes b = existing_bytes(c);
    snprintf(path, sizeof path, "%s/%s", work_folder, c->existing);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write(fd, b.at, b.size) != (ssize_t)b.size || close(fd) != 0)
        give_up(path);
    free(b.at);
}

static void child(const command_line *c, const fault *h, const int err[2])
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        signal(numbers[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    alarm(MAX_RUN_SECONDS);
    if (chdir(work_folder) != 0)
        give_up(work_folder);
    redirect(c->input ? c->input : "/dev/null", O_RDONLY, 0);
    redirect(out_path, O_WRONLY | O_CREAT | O_TRUNC, 1);
    if (dup2(err[1], 2) < 0)
        give_up("dup2");
    close(err[0]);
    close(err[1]);
    fclose(report);
    if (h->before)
        h->before(h->data);
    failing_start(shared);
    int status = gridcast_main(c->argc, c->argv);
    failing_end();
    exit(status);
}

/* Its stderr can be read from *err_fd. */
static pid_t start(const command_line *c, const fault *h, int *err_fd)
{
    int err[2];
    fflush(NULL);
    pid_t pid = pipe(err) == 0 ? fork() : -1;
    if (pid < 0)
        give_up("fork");
    if (pid == 0)
        child(c, h, err);
    close(err[1]);
    *err_fd = err[0];
    return pid;
}

static int ended(pid_t pid)
{
    int status;
    if (waitpid(pid, &status, 0) != pid)
        give_up("waitpid");
    return status;
}

outcome trial_concurrent(const command_line *c, fault *h, int count, int *done)
{
    outcome o = {0};
    pid_t pids[MAX_CONCURRENT];
    int err_fds[MAX_CONCURRENT];
    *shared = h->plan;
    *done = 0;
    for (int i = 0; i < count; i++)
        pids[i] = start(c, h, &err_fds[i]);
    for (int i = 0; i < count; i++) {
        bytes err = read_pipe(err_fds[i]);
        int status = ended(pids[i]);
        *done += status == c->status << 8;
        if (status != c->status << 8 && (status != 4 << 8 || !strstr(err.at, ": exists; --force overwrites it\n")))
            o.status = status;
        free(err.at);
    }
    o.out = o.err = (bytes){0};
    collect(work_folder, "", &o);
    return o;
}

outcome trial_run(const command_line *c, fault *h)
{
    outcome o = {0};
    int err_fd;
    *shared = h->plan;
    if (c->existing)
        create_existing(c);
    unlink(out_path);
    pid_t pid = start(c, h, &err_fd);
    if (h->during)
        h->during(pid, h->data);
    o.err = read_pipe(err_fd);
    o.status = ended(pid);
    h->plan = *shared;
    o.out = access(out_path, F_OK) == 0 ? read_file(out_path) : (bytes){.at = strdup("")};
    collect(work_folder, "", &o);
    return o;
}

void outcome_free(outcome *o)
{
    free(o->out.at);
    free(o->err.at);
    for (size_t i = 0; i < o->file_count; i++) {
        free(o->files[i].name);
        free(o->files[i].at);
    }
    *o = (outcome){0};
}

static const bytes *find(const outcome *o, const char *name)
{
    for (size_t i = 0; i < o->file_count; i++)
        if (strcmp(o->files[i].name, name) == 0)
            return &o->files[i];
    return NULL;
}

/* Is it the part file of an experiment? A run that fails leaves it, so that the next one can go on from it. */
static bool is_part(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".part") == 0;
}

static bool same_bytes(const bytes *a, const bytes *b)
{
    return a->size == b->size && (!a->at || memcmp(a->at, b->at, a->size) == 0);
}

static bool is_unchanged(const command_line *c, const bytes *b)
{
    bytes existing = existing_bytes(c);
    bool same = same_bytes(b, &existing);
    free(existing.at);
    return same;
}

static const char *judge_files(const command_line *c, const outcome *reference, const outcome *got, bool all)
{
    static char reason[400];
    for (size_t i = 0; i < got->file_count; i++) {
        const bytes *g = &got->files[i], *p = find(reference, g->name);
        bool unchanged = c->existing && strcmp(c->existing, g->name) == 0 && is_unchanged(c, g);
        bool complete = p && (c->varies ? p->size > 0 : same_bytes(p, g));
        if (!complete && (all || (!unchanged && !is_part(g->name)))) {
            snprintf(reason, sizeof reason, "the file %s %s", g->name, p ? "is not whole" : "was left behind");
            return reason;
        }
    }
    if (c->existing && !find(got, c->existing))
        return "the file that was there is gone";
    return all && got->file_count != reference->file_count ? "a file is missing" : NULL;
}

static bool starts_with(const bytes *b, const char *part, size_t size)
{
    return size <= b->size && memcmp(b->at, part, size) == 0;
}

/* The last line says why. The lines before it must be notes, which the reference prints, too. */
static const char *judge_line(const command_line *c, const outcome *reference, const outcome *got, const char *word)
{
    const bytes *err = &got->err;
    size_t last = err->size;
    if (!err->size || err->at[err->size - 1] != '\n')
        return "no line says why";
    for (last = err->size - 1; last && err->at[last - 1] != '\n'; last--)
        ;
    if (!c->varies && !starts_with(&reference->err, err->at, last))
        return "more than one line says why";
    if (strncmp(err->at + last, "gridcast: ", 10) != 0)
        return "the last line does not start with gridcast:";
    return word && !strcasestr(err->at + last, word) ? "the line says something else" : NULL;
}

static const char *judge_same(const command_line *c, const outcome *reference, const outcome *got)
{
    if (c->varies ? !got->out.size != !reference->out.size : !same_bytes(&got->out, &reference->out))
        return "it ended as always, but printed something else";
    if (!c->varies && !same_bytes(&got->err, &reference->err))
        return "it ended as always, but said something else";
    return judge_files(c, reference, got, true);
}

const char *outcome_judge(const command_line *c, const outcome *reference, const outcome *got, allowed accepted)
{
    const char *reason;
    if (WIFSIGNALED(got->status))
        return WTERMSIG(got->status) == accepted.signal ? judge_files(c, reference, got, false) : "a signal ended it";
    int status = WEXITSTATUS(got->status);
    if (status == c->status &&
        (!accepted.status || status != accepted.status || same_bytes(&got->err, &reference->err)))
        return judge_same(c, reference, got);
    if (!status || (status != accepted.status && status != accepted.or_status))
        return "wrong exit status";
    if (!c->varies && !starts_with(&reference->out, got->out.at, got->out.size))
        return "what it printed is not how its output starts";
    reason =
        accepted.stderr_closed ? NULL : judge_line(c, reference, got, status == accepted.status ? accepted.word : NULL);
    return reason ? reason : judge_files(c, reference, got, false);
}

static void print_bytes(const char *stream_name, const bytes *b)
{
    size_t size = b->size < 600 ? b->size : 600;
    fprintf(report, "    %s (%zu bytes): %.*s%s\n", stream_name, b->size, (int)size, b->at ? b->at : "",
            size < b->size ? "..." : "");
}

void outcome_print(const outcome *o, const failing_plan *plan)
{
    if (WIFSIGNALED(o->status))
        fprintf(report, "    ended by signal %d (%s)\n", WTERMSIG(o->status), strsignal(WTERMSIG(o->status)));
    else
        fprintf(report, "    exit status %d\n", WEXITSTATUS(o->status));
    print_bytes("stderr", &o->err);
    print_bytes("stdout", &o->out);
    for (size_t i = 0; i < o->file_count; i++)
        fprintf(report, "    file %s (%zu bytes)\n", o->files[i].name, o->files[i].size);
    if (plan->depth || plan->leaked)
        failing_print(plan);
}
