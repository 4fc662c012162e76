/* How long calls take to reach the GPU, as an answer has it: as lines below its table, and in JSON. */
#include "report/analysis/conditions/latency_lines.h"

#include <inttypes.h>

#include "base/minmax.h"
#include "base/text/units.h"

#define DIGITS 1000 /* a limit is shown with three digits */

/* 103300 as 103,300. */
static void put_count(int64_t n, text *out)
{
    if (n >= 1000) {
        put_count(n / 1000, out);
        text_printf(out, ",%03d", (int)(n % 1000));
    } else {
        text_printf(out, "%d", (int)n);
    }
}

static void put_range(const gcast_call_latency *c, text *out)
{
    char min[40], max[40];
    units_format_time(c->min_ns, min, sizeof min);
    units_format_time(c->max_ns, max, sizeof max);
    if (c->min_ns == c->max_ns)
        text_str(out, max);
    else
        text_printf(out, "%s to %s", min, max);
}

static void put_line(const char *kind, const gcast_call_latency *c, text *out)
{
    text_printf(out, "%s latency: ", kind);
    if (c->source == GCAST_LATENCY_ASSUMED)
        text_str(out, "not measured on this GPU; taken as ");
    put_range(c, out);
    if (c->source == GCAST_LATENCY_GIVEN)
        text_str(out, ", as given");
    if (c->source == GCAST_LATENCY_MEASURED) {
        text_str(out, c->one_in ? ", which one in " : ", the longest of ");
        put_count(c->one_in ? c->one_in : c->samples, out);
        if (c->one_in) {
            text_str(out, " exceeds, of ");
            put_count(c->samples, out);
        }
        text_str(out, " measured");
    }
    text_char(out, '\n');
}

static bool are_alike(const gcast_call_latency *a, const gcast_call_latency *b)
{
    return a->used && b->used && a->source == b->source && a->min_ns == b->min_ns && a->max_ns == b->max_ns &&
           a->one_in == b->one_in && a->samples == b->samples;
}

void latency_lines(const gcast_answer *a, text *out)
{
    if (are_alike(&a->launch, &a->copy)) {
        put_line("launch and copy", &a->launch, out);
        return;
    }
    if (a->launch.used)
        put_line("launch", &a->launch, out);
    if (a->copy.used)
        put_line("copy", &a->copy, out);
}

/* Rounded down to three digits. */
static int64_t rounded(int64_t ns)
{
    int64_t unit = 1;
    while (ns / unit >= DIGITS)
        unit *= 10;
    return ns - ns % unit;
}

static bool is_assumed(const gcast_call_latency *c)
{
    return c->used && c->source == GCAST_LATENCY_ASSUMED;
}

void latency_condition(const gcast_answer *a, text *out)
{
    bool launches = is_assumed(&a->launch), copies = is_assumed(&a->copy);
    char time[40];
    if (!a->conditional)
        return;
    const char *calls = launches && copies ? "a launch or the call of a copy"
                        : launches         ? "a launch"
                                           : "the call of a copy";
    if (a->launch_limit_ns <= max_i64(launches ? a->launch.max_ns : 0, copies ? a->copy.max_ns : 0)) {
        text_str(out, ", if every call takes exactly as long as assumed");
        return;
    }
    units_format_time(rounded(a->launch_limit_ns), time, sizeof time);
    text_printf(out, ", if %s takes no longer than %s%s", calls, time, a->limit_may_be_longer ? " (at least)" : "");
}

static void put_json(const char *key, const gcast_call_latency *c, text *out)
{
    if (!c->used)
        return;
    text_printf(out, ",\n \"%s\": {\"min_ns\": %" PRId64 ", \"max_ns\": %" PRId64 ", \"source\": \"%s\"", key,
                c->min_ns, c->max_ns, gcast_latency_source_name(c->source));
    if (c->source == GCAST_LATENCY_MEASURED)
        text_printf(out, ", \"one_in\": %" PRId64 ", \"samples\": %" PRId64, c->one_in, c->samples);
    text_char(out, '}');
}

void latency_json(const gcast_answer *a, text *out)
{
    put_json("launch_latency", &a->launch, out);
    put_json("copy_latency", &a->copy, out);
    if (a->conditional && a->launch_limit_ns >= 0)
        text_printf(out, ",\n \"launch_limit_ns\": %" PRId64, a->launch_limit_ns);
}
