/* The options that say how long calls take to reach the GPU. */
#include "cli/analyze/latency_args.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "cli/say.h"

#define MAX_LATENCY_NS 86400000000000
#define MAX_QUANTILE 1000000000

/* "9us" or "9us..84us". */
static bool parse_range(const char *value, int64_t *min_ns, int64_t *max_ns)
{
    char min[64];
    const char *dots = strstr(value, "..");
    if (!dots)
        return units_parse_time(value, max_ns) && *max_ns <= MAX_LATENCY_NS;
    if ((size_t)(dots - value) >= sizeof min)
        return false;
    snprintf(min, sizeof min, "%.*s", (int)(dots - value), value);
    return units_parse_time(min, min_ns) && units_parse_time(dots + 2, max_ns) && *min_ns <= *max_ns &&
           *max_ns <= MAX_LATENCY_NS;
}

gcast_status latency_from_args(const args *a, gcast_analyze_options *o)
{
    const char *value = args_value(a, "launch-latency");
    if (value && args_has(a, "quantile"))
        return say(GCAST_USAGE, "--quantile has no meaning with --launch-latency");
    if (value && !parse_range(value, &o->launch_min_ns, &o->launch_max_ns))
        return say(GCAST_USAGE,
                   "--launch-latency is a time of a day at most, such as 50us, or two, such as 9us..50us, "
                   "not %s",
                   value);
    if (value) {
        o->copy_min_ns = o->launch_min_ns;
        o->copy_max_ns = o->launch_max_ns;
    }
    return args_int(a, "quantile", 2, MAX_QUANTILE, &o->quantile);
}
