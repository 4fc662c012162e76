#include "cli/import/part_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

#define MAX_CONNECTIONS 32 /* that CUDA has */

/* START-END, either of which may be missing. */
static gcast_status read_range(const char *value, prof_make_options *o)
{
    char first[64];
    const char *dash = strchr(value, '-');
    size_t size = dash ? (size_t)(dash - value) : sizeof first;
    bool ok = size < sizeof first;
    if (ok) {
        memcpy(first, value, size);
        first[size] = '\0';
        ok = (!size || units_parse_time(first, &o->from_ns)) && (!dash[1] || units_parse_time(dash + 1, &o->to_ns)) &&
             (size || dash[1]) && o->from_ns < o->to_ns && o->from_ns <= INT64_MAX / 4;
    }
    if (ok)
        return GCAST_OK;
    return say(GCAST_USAGE, "--range is START-END, from the beginning of the profile, such as 1.5ms-3ms, not %s",
               value);
}

/* NAME, or NAME#K: the k-th of that name. A name may contain #. */
static void read_nvtx(const char *value, char *name, prof_make_options *o)
{
    strcpy(name, value);
    char *number = strrchr(name, '#'), *end;
    o->range = name;
    o->range_number = 1;
    if (!number || !number[1] || strspn(number + 1, "0123456789") != strlen(number + 1))
        return;
    unsigned long long k = strtoull(number + 1, &end, 10);
    if (k < 1)
        return;
    o->range_number = k;
    *number = '\0';
}

gcast_status part_args(const args *a, prof_make_options *o)
{
    const char *range = args_value(a, "range"), *nvtx = args_value(a, "nvtx");
    int64_t connections = 0;
    int durations = PROF_DURATIONS_LAUNCH, events = PROF_EVENTS_INFERRED;
    if (nvtx && args_has(a, "step"))
        return say(GCAST_USAGE, "--nvtx and --step both choose a part: one of them does");
    o->all_threads = args_has(a, "all-threads");
    if (o->all_threads && !nvtx)
        return say(GCAST_USAGE, "--all-threads needs --nvtx");
    gcast_status status = range ? read_range(range, o) : GCAST_OK;
    if (status == GCAST_OK)
        status = args_int(a, "step", 0, INT64_MAX / 4, &o->step);
    if (status == GCAST_OK)
        status = args_int(a, "device", 0, INT64_MAX / 4, &o->device);
    if (status == GCAST_OK)
        status = args_int(a, "connections", 1, MAX_CONNECTIONS, &connections);
    o->connections = (int)connections;
    if (status == GCAST_OK)
        status = args_choice(a, "durations", spans_choices, &durations);
    if (status == GCAST_OK)
        status = args_choice(a, "events", events_choices, &events);
    o->durations = (prof_durations)durations;
    o->events = (prof_events)events;
    if (status != GCAST_OK || !nvtx)
        return status;
    char *name = malloc(strlen(nvtx) + 1); /* for as long as the command runs: part_args_free */
    if (!name)
        return say_no_memory();
    read_nvtx(nvtx, name, o);
    return GCAST_OK;
}

void part_args_free(prof_make_options *o)
{
    free((char *)o->range);
    o->range = NULL;
}

void part_args_place(const prof_trace *t, prof_make_options *o)
{
    if (o->from_ns != INT64_MIN)
        o->from_ns += t->zero_ns;
    if (o->to_ns != INT64_MAX)
        o->to_ns = o->to_ns > INT64_MAX / 4 ? INT64_MAX : o->to_ns + t->zero_ns;
}
