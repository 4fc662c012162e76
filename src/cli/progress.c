/* A line on stderr that shows how far a long computation is: only on a terminal,
 * and only after half a second. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_start(progress *p)
{
    *p = (progress){.start = seconds(), .on = isatty(STDERR_FILENO)};
}

bool progress_show(void *data, double fraction)
{
    progress *p = data;
    double now = p->on ? seconds() : 0;
    if (!p->on || now - p->start < 0.5 || now - p->last < 0.1)
        return true;
    p->last = now;
    p->shown = true;
    double left = fraction > 0 ? (now - p->start) * (1 - fraction) / fraction : 0;
    fprintf(stderr, "\r%3d %%, %.0f s left \x1b[K", (int)(fraction * 100), left);
    return true;
}

void progress_end(progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\x1b[K");
}
