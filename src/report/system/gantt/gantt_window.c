#include "report/system/gantt/gantt_window.h"

#include "base/minmax.h"

#define SHOWN_JOBS 120 /* about as many are in a picture */

/* A round number that is not below: with at most two digits before its zeros. */
static int64_t two_digits(int64_t ns)
{
    int64_t unit = 1;
    while (ns / unit >= 100)
        unit *= 10;
    return max_i64(round_up(ns, unit), 1);
}

int64_t system_window_ns(const sys_system *s)
{
    int64_t longest = 1;
    double rate = 0; /* jobs per ns */
    for (size_t i = 0; i < s->task_count; i++)
        if (s->tasks[i].arrival != SYS_TRIGGERED && !s->tasks[i].once) {
            longest = max_i64(longest, s->tasks[i].period_ns);
            rate += 1.0 / (double)s->tasks[i].period_ns;
        }
    double room = rate > 0 ? SHOWN_JOBS / rate : 1;
    return room < (double)longest ? two_digits((int64_t)room) : longest;
}
