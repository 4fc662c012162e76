#include "cli/output/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/integers.h"
#include "base/number.h"
#include "cli/output/progress_line.h"

#define DELAY_NS 500000000
#define INTERVAL_NS 100000000
#define MAX_DELAY_MS 1e12

static const progress *visible; /* its line is on the terminal; NULL: no line is */

/* Can the terminal erase a line? */
static bool can_show(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* GRIDCAST_PROGRESS_AFTER: another delay, in milliseconds. With 0 every step is shown. */
static void read_delay(progress *p)
{
    const char *value = getenv("GRIDCAST_PROGRESS_AFTER");
    char *end;
    if (!value || !*value)
        return;
    double ms = number_parse(value, &end);
    if (!*end && ms >= 0)
        p->delay_ns = ms < MAX_DELAY_MS ? (int64_t)(ms * 1e6) : (int64_t)(MAX_DELAY_MS * 1e6);
    if (!p->delay_ns)
        p->interval_ns = 0;
}

void progress_start(progress *p, const char *activity)
{
    *p = (progress){.activity = activity, .delay_ns = DELAY_NS, .interval_ns = INTERVAL_NS, .may_show = can_show()};
    if (!p->may_show)
        return;
    p->start_ns = p->part_start_ns = p->fraction_start_ns = clock_now_ns();
    read_delay(p);
}

void progress_next(progress *p, const char *activity, int64_t max_ms)
{
    p->activity = activity;
    p->part_start_ns = p->fraction_start_ns = p->may_show ? clock_now_ns() : 0;
    p->fraction = 0;
    p->max_part_ns = max_ms < INT64_MAX / 1000000 ? max_ms * 1000000 : INT64_MAX;
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

bool progress_show(void *data, double fraction)
{
    progress *p = data;
    if (!p->may_show)
        return true;
    int64_t now = clock_now_ns();
    if (fraction >= 0 && fraction < p->fraction) /* the work began anew */
        p->fraction_start_ns = now;
    p->fraction = fraction;
    if (now - p->start_ns < p->delay_ns || now - p->last_shown_ns < p->interval_ns)
        return true;
    char line[160];
    /* the limit counts from the start of the part, also where the work began anew */
    double max_left_s = p->max_part_ns ? seconds(max_i64(p->max_part_ns - (now - p->part_start_ns), 0)) : -1;
    progress_line(line, sizeof line, p->activity, fraction, seconds(now - p->fraction_start_ns), max_left_s);
    p->last_shown_ns = now;
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
    p->may_show = false;
}
