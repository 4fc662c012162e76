#include "cli/output/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text/number.h"

#define DELAY 0.5
#define INTERVAL 0.1

static const progress *visible; /* there is one line on a terminal */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A terminal that can clear a line. */
static bool can_show(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

void progress_start(progress *p, const char *what)
{
    const char *after = getenv("GRIDCAST_PROGRESS_AFTER");
    *p = (progress){.what = what, .delay = DELAY, .interval = INTERVAL, .on = can_show()};
    p->start = p->next = p->since = p->on ? seconds() : 0;
    if (p->on && after && *after) {
        char *end;
        double ms = number_parse(after, &end);
        if (!*end && ms >= 0)
            p->delay = ms / 1000;
        if (p->delay == 0) /* every step, for who wants to see them all */
            p->interval = 0;
    }
}

void progress_next(progress *p, const char *what, int64_t max_ms)
{
    p->what = what;
    p->next = p->since = p->on ? seconds() : 0;
    p->fraction = 0;
    p->limit = (double)max_ms / 1000;
}

bool progress_show(void *data, double fraction)
{
    progress *p = data;
    if (!p->on)
        return true;
    double now = seconds();
    if (fraction >= 0 && fraction < p->fraction) /* it begins again */
        p->since = now;
    p->fraction = fraction;
    if (now - p->start < p->delay || now - p->last < p->interval)
        return true;
    char line[160];
    double left = p->limit > now - p->next ? p->limit - (now - p->next) : 0; /* also where it begins again */
    progress_line(line, sizeof line, p->what, fraction, now - p->since, p->limit > 0 ? left : -1);
    p->last = now;
    p->shown = true;
    visible = p;
    fprintf(stderr, "\r%s\x1b[K", line);
    fflush(stderr);
    return true;
}

void progress_hide(void)
{
    if (visible)
        fprintf(stderr, "\r\x1b[K");
    visible = NULL;
}

void progress_end(progress *p)
{
    if (p->shown && visible == p)
        progress_hide();
    p->on = false;
}
