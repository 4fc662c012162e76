#include "cli/run/ranges.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "cli/digits.h"
#include "cli/say.h"

/* Copies the two parts of A-B; false where there is not exactly one dash, or a part is too long. */
static bool split_range(const char *value, char *first, char *second, size_t size)
{
    const char *dash = strchr(value, '-');
    size_t length = dash ? (size_t)(dash - value) : 0;
    if (!dash || strchr(dash + 1, '-') || length >= size || strlen(dash + 1) >= size)
        return false;
    snprintf(first, size, "%.*s", (int)length, value);
    snprintf(second, size, "%s", dash + 1);
    return true;
}

static bool parse_sm(const char *value, int *sm)
{
    uint64_t v;
    if (!read_digits(&value, &v) || *value || v >= GCAST_MAX_SMS)
        return false;
    *sm = (int)v;
    return true;
}

gcast_status ranges_from_args(const args *a, gcast_report_options *o)
{
    char first[32], second[32];
    const char *sms = args_value(a, "sm-range"), *times = args_value(a, "time-range");
    if (sms && (!split_range(sms, first, second, sizeof first) || !parse_sm(first, &o->first_sm) ||
                !parse_sm(second, &o->last_sm) || o->last_sm < o->first_sm))
        return say(GCAST_USAGE, "--sm-range is two SMs such as 0-7, not %s", sms);
    if (times && (!split_range(times, first, second, sizeof first) || !units_parse_time(first, &o->from_ns) ||
                  !units_parse_time(second, &o->to_ns) || o->to_ns <= o->from_ns))
        return say(GCAST_USAGE, "--time-range is two times such as 1ms-2.5ms, not %s", times);
    return GCAST_OK;
}
