#include "analyze/time_limit.h"

#include <stddef.h>
#include <time.h>

#include "base/checked.h"

#define MINUTE_MS 60000

int64_t (*limit_test_clock)(void);

static int64_t now_ms(void)
{
    struct timespec t;
    if (limit_test_clock)
        return limit_test_clock();
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

time_limit limit_from_now(int64_t max_ms)
{
    time_limit l;
    if (!checked_add(now_ms(), max_ms > 0 ? max_ms : MINUTE_MS, &l.until_ms))
        l.until_ms = INT64_MAX;
    return l;
}

bool limit_passed(const time_limit *l)
{
    return now_ms() > l->until_ms;
}

int64_t limit_left_ms(const time_limit *l)
{
    int64_t left = l->until_ms - now_ms();
    return left > 0 ? left : 1;
}
