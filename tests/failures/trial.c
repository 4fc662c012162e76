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

#define OLD "what was there before\n"
#define PATIENCE 300 /* seconds; one that waits for ever is a failure, a slow machine is none */

int gridcast_main(int argc, char **argv);

static char folder[256], work[300], out_path[300];
static failing_plan *shared;

static void give_up(const char *what)
{
    perror(what);
    _exit(2);
}

void trial_begin(const char *data)
{
    const char *tmp = getenv("TMPDIR");
    char link[320];
    snprintf(folder, sizeof folder, "%.200s/gridcast-failures-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        give_up(folder);
    snprintf(work, sizeof work, "%s/work", folder);
    snprintf(out_path, sizeof out_path, "%s/out", folder);
    snprintf(link, sizeof link, "%s/root", work);
    if (mkdir(work, 0777) != 0 || symlink(data, link) != 0)
        give_up(work);
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

/* Every file below the folder, read and then removed; without `o` only removed. */
static void collect(const char *path, const char *name, outcome *o)
{
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char child[600], full[600];
        struct stat st;
        snprintf(child, sizeof child, "%s%s%s", name, *name ? "/" : "", e->d_name);
        snprintf(full, sizeof full, "%s/%s", path, e->d_name);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || (o && strcmp(child, "root") == 0))
            continue;
        if (lstat(full, &st) == 0 && S_ISDIR(st.st_mode)) {
            collect(full, child, o);
            rmdir(full);
            continue;
        }
        if (o && o->file_count < MOST_FILES) {
            o->files[o->file_count] = S_ISREG(st.st_mode) ? read_file(full) : (bytes){0};
            o->files[o->file_count++].name = strdup(child);
        }
        unlink(full);
    }
    if (dir)
        closedir(dir);
}

void trial_end(void)
{
    collect(folder, "", NULL);
    rmdir(folder);
}

static void redirect(const char *path, int flags, int to)
{
    int fd = open(path, flags, 0666);
    if (fd < 0 || dup2(fd, to) < 0)
        give_up(path);
    close(fd);
}

/* What a file that is there before has in it. */
static bytes old_bytes(const command_line *c)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", work, c->from ? c->from : "");
    return c->from ? read_file(path) : (bytes){.at = strdup(OLD), .size = sizeof OLD - 1};
}

static void make_old(const command_line *c)
{
    char path[600];
    bytes b = old_bytes(c);
    snprintf(path, sizeof path, "%s/%s", work, c->old);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write(fd, b.at, b.size) != (ssize_t)b.size || close(fd) != 0)
        give_up(path);
    free(b.at);
}

static void child(const command_line *c, const hardship *h, const int err[2])
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        signal(numbers[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    alarm(PATIENCE);
    if (chdir(work) != 0)
        give_up(work);
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

/* Its stderr can be read from *said. */
static pid_t start(const command_line *c, const hardship *h, int *said)
{
    int err[2];
    fflush(NULL);
    pid_t pid = pipe(err) == 0 ? fork() : -1;
    if (pid < 0)
        give_up("fork");
    if (pid == 0)
        child(c, h, err);
    close(err[1]);
    *said = err[0];
    return pid;
}

static int ended(pid_t pid)
{
    int status;
    if (waitpid(pid, &status, 0) != pid)
        give_up("waitpid");
    return status;
}

outcome trial_crowd(const command_line *c, hardship *h, int count, int *done)
{
    outcome o = {0};
    pid_t pids[MOST_CROWD];
    int said[MOST_CROWD];
    *shared = h->plan;
    *done = 0;
    for (int i = 0; i < count; i++)
        pids[i] = start(c, h, &said[i]);
    for (int i = 0; i < count; i++) {
        bytes err = read_pipe(said[i]);
        int status = ended(pids[i]);
        *done += status == c->status << 8;
        if (status != c->status << 8 && (status != 4 << 8 || !strstr(err.at, ": exists; --force overwrites it\n")))
            o.status = status;
        free(err.at);
    }
    o.out = o.err = (bytes){0};
    collect(work, "", &o);
    return o;
}

outcome trial_run(const command_line *c, hardship *h)
{
    outcome o = {0};
    int said;
    *shared = h->plan;
    if (c->old)
        make_old(c);
    unlink(out_path);
    pid_t pid = start(c, h, &said);
    if (h->during)
        h->during(pid, h->data);
    o.err = read_pipe(said);
    o.status = ended(pid);
    h->plan = *shared;
    o.out = access(out_path, F_OK) == 0 ? read_file(out_path) : (bytes){.at = strdup("")};
    collect(work, "", &o);
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

/* What an experiment goes on from: it is there for when it fails. */
static bool is_part(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".part") == 0;
}

static bool same_bytes(const bytes *a, const bytes *b)
{
    return a->size == b->size && (!a->at || memcmp(a->at, b->at, a->size) == 0);
}

static bool is_old(const command_line *c, const bytes *b)
{
    bytes old = old_bytes(c);
    bool same = same_bytes(b, &old);
    free(old.at);
    return same;
}

static const char *judge_files(const command_line *c, const outcome *plain, const outcome *got, bool all)
{
    static char why[400];
    for (size_t i = 0; i < got->file_count; i++) {
        const bytes *g = &got->files[i], *p = find(plain, g->name);
        bool old = c->old && strcmp(c->old, g->name) == 0 && is_old(c, g);
        bool whole = p && (c->varies ? p->size > 0 : same_bytes(p, g));
        if (!whole && (all || (!old && !is_part(g->name)))) {
            snprintf(why, sizeof why, "the file %s %s", g->name, p ? "is not whole" : "was left behind");
            return why;
        }
    }
    if (c->old && !find(got, c->old))
        return "the file that was there is gone";
    return all && got->file_count != plain->file_count ? "a file is missing" : NULL;
}

static bool starts_with(const bytes *whole, const char *part, size_t size)
{
    return size <= whole->size && memcmp(whole->at, part, size) == 0;
}

/* What is said before the last line is what is said anyhow: notes. */
static const char *judge_line(const command_line *c, const outcome *plain, const outcome *got, const char *word)
{
    const bytes *err = &got->err;
    size_t last = err->size;
    if (!err->size || err->at[err->size - 1] != '\n')
        return "no line says why";
    for (last = err->size - 1; last && err->at[last - 1] != '\n'; last--)
        ;
    if (!c->varies && !starts_with(&plain->err, err->at, last))
        return "more than one line says why";
    if (strncmp(err->at + last, "gridcast: ", 10) != 0)
        return "the last line does not start with gridcast:";
    return word && !strcasestr(err->at + last, word) ? "the line says something else" : NULL;
}

static const char *judge_same(const command_line *c, const outcome *plain, const outcome *got)
{
    if (c->varies ? !got->out.size != !plain->out.size : !same_bytes(&got->out, &plain->out))
        return "it ended as always, but printed something else";
    if (!c->varies && !same_bytes(&got->err, &plain->err))
        return "it ended as always, but said something else";
    return judge_files(c, plain, got, true);
}

const char *outcome_judge(const command_line *c, const outcome *plain, const outcome *got, allowed may)
{
    const char *why;
    if (WIFSIGNALED(got->status))
        return WTERMSIG(got->status) == may.signal ? judge_files(c, plain, got, false) : "a signal ended it";
    int status = WEXITSTATUS(got->status);
    if (status == c->status && (!may.status || status != may.status || same_bytes(&got->err, &plain->err)))
        return judge_same(c, plain, got);
    if (!status || (status != may.status && status != may.or_status))
        return "wrong exit status";
    if (!c->varies && !starts_with(&plain->out, got->out.at, got->out.size))
        return "what it printed is not how its output starts";
    why = may.unheard ? NULL : judge_line(c, plain, got, status == may.status ? may.word : NULL);
    return why ? why : judge_files(c, plain, got, false);
}

static void print_bytes(const char *what, const bytes *b)
{
    size_t size = b->size < 600 ? b->size : 600;
    fprintf(report, "    %s (%zu bytes): %.*s%s\n", what, b->size, (int)size, b->at ? b->at : "",
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
    if (plan->depth || plan->left)
        failing_print(plan);
}
