/* Signals at any time: what was not there is not there or whole, what was there is as it
 * was or new, and the process ends by the signal, as a shell expects. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "kinds.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

typedef struct stroke {
    int number;
    long after_ns;
} stroke;

static void strike(pid_t child, const void *data)
{
    const stroke *s = data;
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

void kind_signals(const command_line *c, const outcome *plain, long calls, tally *t)
{
    int times = t->all ? 50 : 3;
    (void)calls;
    if (!plain->file_count)
        return;
    hardship none = {0};
    long start = now_ns();
    outcome again = trial_run(c, &none);
    long takes = now_ns() - start;
    outcome_free(&again);
    for (int i = 0; i < times * (int)NUMBERS; i++) {
        char what[80];
        stroke s = {numbers[(size_t)i % NUMBERS], (long)((double)rand() / RAND_MAX * (double)takes)};
        hardship h = {.during = strike, .data = &s};
        snprintf(what, sizeof what, "signal %d after %ld us", s.number, s.after_ns / 1000);
        tally_run(t, c, plain, &h, (allowed){.signal = s.number}, what);
    }
}
