/* Limits by the processor time of the thread. */
#include "analyze/time_limit.h"

#include <stddef.h>

#include "base/clock.h"
#include "base/integers.h"

#define MINUTE_MS 60000

int64_t (*limit_test_clock)(void);

static int64_t now_ms(void)
{
    return limit_test_clock ? limit_test_clock() : clock_thread_ns() / 1000000;
}

time_limit limit_from_now(int64_t max_ms)
{
    time_limit l;
    if (!checked_add(now_ms(), max_ms > 0 ? max_ms : MINUTE_MS, &l.end_ms))
        l.end_ms = INT64_MAX;
    return l;
}

bool limit_passed(const time_limit *l)
{
    return now_ms() > l->end_ms;
}

int64_t limit_left_ms(const time_limit *l)
{
    return max_i64(l->end_ms - now_ms(), 1);
}
