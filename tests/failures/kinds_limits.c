/* Too little of something else: address space, open files, room on the disk, and standard
 * descriptors that are closed. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kinds.h"
#include "support/comma_locale.h"

static void limit(int what, rlim_t most)
{
    setrlimit(what, &(struct rlimit){most, most});
}

/* So many bytes more than the process has now. */
static void limit_space(const void *data)
{
    unsigned long pages = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (!in || fscanf(in, "%lu", &pages) != 1)
        _exit(99);
    fclose(in);
    limit(RLIMIT_AS, pages * (rlim_t)sysconf(_SC_PAGESIZE) + *(const rlim_t *)data);
}

void kind_space(const command_line *c, const outcome *plain, long calls, tally *t)
{
    const allowed may = {.status = 4, .word = "memory", .or_status = c->gpu ? 5 : 0};
    (void)calls;
    if (!failing_sees_libraries) {
        if (!t->runs++)
            fprintf(report, "not with sanitizers, which take the address space themselves\n");
        return;
    }
    for (rlim_t more = 1 << 16; more <= (rlim_t)1 << 30; more += t->all ? more / 8 : 7 * more) {
        char what[80];
        hardship h = {.before = limit_space, .data = &more};
        snprintf(what, sizeof what, "%llu KiB more", (unsigned long long)more >> 10);
        tally_run(t, c, plain, &h, may, what);
    }
}

static void limit_files(const void *data)
{
    limit(RLIMIT_NOFILE, *(const rlim_t *)data);
}

void kind_files(const command_line *c, const outcome *plain, long calls, tally *t)
{
    (void)calls;
    for (rlim_t most = 3; most < 12; most++) {
        char what[80];
        hardship h = {.before = limit_files, .data = &most};
        snprintf(what, sizeof what, "%d open files at most", (int)most);
        tally_run(t, c, plain, &h, (allowed){.status = 4, .or_status = c->gpu ? 5 : 0}, what);
    }
}

static void limit_disk(const void *data)
{
    signal(SIGXFSZ, SIG_IGN);
    limit(RLIMIT_FSIZE, *(const rlim_t *)data);
}

static void limit_disk_killed(const void *data)
{
    limit(RLIMIT_FSIZE, *(const rlim_t *)data);
}

static void full_output(const void *data)
{
    int fd = open(data, O_WRONLY);
    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
        _exit(99);
    close(fd);
}

/* SIGXFSZ says that a file would be too large; a process that ignores it gets an error instead. */
void kind_disk(const command_line *c, const outcome *plain, long calls, tally *t)
{
    hardship full = {.before = full_output, .data = "/dev/full"};
    (void)calls;
    tally_run(t, c, plain, &full, (allowed){.status = 4, .word = "standard output: No space left"}, "/dev/full");
    for (rlim_t most = 0; most < 20000; most = (t->all ? 2 : 8) * most + 1) {
        char what[80];
        hardship h = {.before = limit_disk, .data = &most}, killed = {.before = limit_disk_killed, .data = &most};
        snprintf(what, sizeof what, "%d bytes a file at most", (int)most);
        tally_run(t, c, plain, &h, (allowed){.status = 4, .word = "too large"}, what);
        snprintf(what, sizeof what, "%d bytes a file at most, or SIGXFSZ", (int)most);
        tally_run(t, c, plain, &killed, (allowed){.signal = SIGXFSZ}, what);
    }
}

static void use_comma(const void *data)
{
    if (!data || !setlocale(LC_NUMERIC, data))
        _exit(99);
}

/* As in a program around the library whose locale has a decimal comma. */
void kind_locale(const command_line *c, const outcome *plain, long calls, tally *t)
{
    static const char *name;
    name = name ? name : comma_locale_make();
    hardship h = {.before = use_comma, .data = name};
    (void)calls;
    tally_run(t, c, plain, &h, (allowed){0}, "with a decimal comma");
}

static void close_some(const void *data)
{
    for (int fd = 0; fd < 3; fd++)
        if (*(const int *)data >> fd & 1)
            close(fd);
}

void kind_closed(const command_line *c, const outcome *plain, long calls, tally *t)
{
    (void)calls;
    for (int which = 1; which < 8; which++) {
        char what[80];
        outcome expected = *plain;
        hardship h = {.before = close_some, .data = &which};
        bool unheard = which & 4;
        allowed may = {
            .status = which & 2 && plain->out.size ? 4 : 3, .word = "Bad file descriptor", .unheard = unheard};
        if (which & 1 && c->input)
            may.status = 3;
        if (unheard)
            expected.err = (bytes){.at = ""};
        snprintf(what, sizeof what, "closed:%s%s%s", which & 1 ? " stdin" : "", which & 2 ? " stdout" : "",
                 which & 4 ? " stderr" : "");
        tally_run(t, c, &expected, &h, may, what);
    }
}
