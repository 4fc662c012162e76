/* Signals at any time: a new file is complete or absent, an existing one is unchanged or
 * replaced, and the process ends by the signal, as a shell expects. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "kinds.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

typedef struct timed_signal {
    int number;    /* the signal */
    long after_ns; /* when it is sent, from the start of the run */
} timed_signal;

static void send_signal(pid_t child, const void *data)
{
    const timed_signal *s = data;
    struct timespec wait = {s->after_ns / 1000000000, s->after_ns % 1000000000};
    nanosleep(&wait, NULL);
    kill(child, s->number);
}

static long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000000000 + t.tv_nsec;
}

void kind_signals(const command_line *c, const outcome *reference, long calls, tally *t)
{
    int times = t->all ? 50 : 3;
    (void)calls;
    if (!reference->file_count)
        return;
    fault none = {0};
    long start = now_ns();
    outcome timed = trial_run(c, &none);
    long run_ns = now_ns() - start;
    outcome_free(&timed);
    for (int i = 0; i < times * (int)NUMBERS; i++) {
        char fault_name[80];
        timed_signal s = {numbers[(size_t)i % NUMBERS], (long)((double)rand() / RAND_MAX * (double)run_ns)};
        fault h = {.during = send_signal, .data = &s};
        snprintf(fault_name, sizeof fault_name, "signal %d after %ld us", s.number, s.after_ns / 1000);
        tally_run(t, c, reference, &h, (allowed){.signal = s.number}, fault_name);
    }
}
