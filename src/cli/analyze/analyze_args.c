#include "cli/analyze/analyze_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/say.h"
#include "model/workload/workload.h"

/* --launch-latency and --quantile say how long calls take to reach the GPU. */

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

static gcast_status latency_from_args(const args *a, gcast_analyze_options *o)
{
    const char *value = args_value(a, "launch-latency");
    if (value && args_has(a, "quantile"))
        return say(GCAST_USAGE, "--quantile cannot be used with --launch-latency");
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

/* --method, and the options that limit all methods. */

static const gcast_method all_methods[] = {
#define X(id, name, text) GCAST_METHOD_##id,
    GCAST_METHOD_TABLE(X)
#undef X
};

gcast_status methods_from_args(const args *a, const gcast_method **methods, size_t *count)
{
    int index = 0; /* auto */
    gcast_status status = args_choice(a, "method", method_choices, &index);
    *methods = index ? &all_methods[index - 1] : NULL;
    *count = index ? 1 : 0;
    return status;
}

gcast_status analyze_options_from_args(const args *a, gcast_analyze_options *o)
{
    int64_t limit = 0;
    const char *method = args_value(a, "method");
    *o = gcast_analyze_options_default();
    if (!method || strcmp(method, "auto") == 0)
        o->max_states = GCAST_AUTO_MAX_STATES;
    o->any_order = args_has(a, "any-order");
    gcast_status status = args_span(a, "limit", &limit);
    if (status == GCAST_OK && limit)
        o->max_ms = (limit - 1) / 1000000 + 1;
    if (status == GCAST_OK)
        status = latency_from_args(a, o);
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}
