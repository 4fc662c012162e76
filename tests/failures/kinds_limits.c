/* Other limits: address space, open files and file size; and a full device, a locale with
 * a decimal comma, and standard descriptors that are closed. */
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

static void limit(int resource, rlim_t max)
{
    setrlimit(resource, &(struct rlimit){max, max});
}

/* Limits the address space to *data bytes more than the process has now. */
static void limit_space(const void *data)
{
    unsigned long pages = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (!in || fscanf(in, "%lu", &pages) != 1)
        _exit(99);
    fclose(in);
    limit(RLIMIT_AS, pages * (rlim_t)sysconf(_SC_PAGESIZE) + *(const rlim_t *)data);
}

void kind_space(const command_line *c, const outcome *reference, long calls, tally *t)
{
    const allowed accepted = {.status = 4, .word = "memory", .or_status = c->gpu ? 5 : 0};
    (void)calls;
    if (!failing_sees_libraries) {
        if (!t->runs++)
            fprintf(report, "not with sanitizers, which take the address space themselves\n");
        return;
    }
    for (rlim_t extra_bytes = 1 << 16; extra_bytes <= (rlim_t)1 << 30;
         extra_bytes += t->all ? extra_bytes / 8 : 7 * extra_bytes) {
        char fault_name[80];
        fault h = {.before = limit_space, .data = &extra_bytes};
        snprintf(fault_name, sizeof fault_name, "%llu KiB more", (unsigned long long)extra_bytes >> 10);
        tally_run(t, c, reference, &h, accepted, fault_name);
    }
}

static void limit_files(const void *data)
{
    limit(RLIMIT_NOFILE, *(const rlim_t *)data);
}

void kind_files(const command_line *c, const outcome *reference, long calls, tally *t)
{
    (void)calls;
    for (rlim_t max = 3; max < 12; max += t->all ? 1 : 2) {
        char fault_name[80];
        fault h = {.before = limit_files, .data = &max};
        snprintf(fault_name, sizeof fault_name, "%d open files at most", (int)max);
        tally_run(t, c, reference, &h, (allowed){.status = 4, .or_status = c->gpu ? 5 : 0}, fault_name);
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
void kind_disk(const command_line *c, const outcome *reference, long calls, tally *t)
{
    fault full_device = {.before = full_output, .data = "/dev/full"};
    (void)calls;
    tally_run(t, c, reference, &full_device, (allowed){.status = 4, .word = "standard output: No space left"},
              "/dev/full");
    for (rlim_t max = 0; max < 20000; max = (t->all ? 2 : 30) * max + 1) {
        char fault_name[80];
        fault h = {.before = limit_disk, .data = &max}, killed = {.before = limit_disk_killed, .data = &max};
        snprintf(fault_name, sizeof fault_name, "%d bytes a file at most", (int)max);
        tally_run(t, c, reference, &h, (allowed){.status = 4, .word = "too large"}, fault_name);
        snprintf(fault_name, sizeof fault_name, "%d bytes a file at most, or SIGXFSZ", (int)max);
        tally_run(t, c, reference, &killed, (allowed){.signal = SIGXFSZ}, fault_name);
    }
}

static void use_comma(const void *data)
{
    if (!data || !setlocale(LC_NUMERIC, data))
        _exit(99);
}

/* As in a program around the library whose locale has a decimal comma. */
void kind_locale(const command_line *c, const outcome *reference, long calls, tally *t)
{
    static const char *name;
    name = name ? name : comma_locale_make();
    fault h = {.before = use_comma, .data = name};
    (void)calls;
    tally_run(t, c, reference, &h, (allowed){0}, "with a decimal comma");
}

static void close_descriptors(const void *data)
{
    for (int fd = 0; fd < 3; fd++)
        if (*(const int *)data >> fd & 1)
            close(fd);
}

void kind_closed(const command_line *c, const outcome *reference, long calls, tally *t)
{
    (void)calls;
    for (int closed_mask = 1; closed_mask < 8; closed_mask++) {
        char fault_name[80];
        outcome expected = *reference;
        fault h = {.before = close_descriptors, .data = &closed_mask};
        bool stderr_closed = closed_mask & 4, one = !(closed_mask & (closed_mask - 1));
        if (!t->all && !one && closed_mask != 7)
            continue;
        allowed accepted = {.status = closed_mask & 2 && reference->out.size ? 4 : 3,
                            .word = "Bad file descriptor",
                            .stderr_closed = stderr_closed};
        if (closed_mask & 1 && c->input)
            accepted.status = 3;
        if (stderr_closed)
            expected.err = (bytes){.at = ""};
        snprintf(fault_name, sizeof fault_name, "closed:%s%s%s", closed_mask & 1 ? " stdin" : "",
                 closed_mask & 2 ? " stdout" : "", closed_mask & 4 ? " stderr" : "");
        tally_run(t, c, &expected, &h, accepted, fault_name);
    }
}
