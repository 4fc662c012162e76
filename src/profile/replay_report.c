/* gcast_replay_report: a replay compared with its recording, as tables and as JSON. */
#include <math.h>

#include "base/api.h"
#include "base/text.h"
#include "gridcast/names.h"
#include "profile/replay_handle.h"

/* A replay as tables. */

#define MAX_NAMES 20 /* rows of the table; JSON has all */
#define MAX_WIDTH 48 /* of a name in the table */

/* How much longer the replay is than the recording, in thousandths of a percent. */
static int64_t replay_off(const prof_replay *r)
{
    return r->recorded_ns ? llround(1e5 * (double)(r->replayed_ns - r->recorded_ns) / (double)r->recorded_ns) : 0;
}

static void put_percent(text *out, int64_t thousandths)
{
    text_printf(out, "%+.2f %%", (double)thousandths / 1e3);
}

static void put_spans(text *out, const prof_replay *r)
{
    text_printf(out, "recorded %.3f ms, replayed %.3f ms: ", (double)r->recorded_ns / 1e6,
                (double)r->replayed_ns / 1e6);
    put_percent(out, replay_off(r));
    text_printf(out, "; operations %zu\n", r->op_count);
    text_printf(out, "error of an operation: start %.1f us in the median, %.1f at the 90th percentile; ",
                (double)r->start.median_ns / 1e3, (double)r->start.p90_ns / 1e3);
    text_printf(out, "duration %.1f and %.1f us\n", (double)r->duration.median_ns / 1e3,
                (double)r->duration.p90_ns / 1e3);
}

static size_t shown_names(const prof_replay *r)
{
    return r->name_count > MAX_NAMES ? MAX_NAMES : r->name_count;
}

/* The label, cut or filled to the width. */
static void put_label(text *out, const char *label, size_t width)
{
    char cut[4 * MAX_WIDTH + 1];
    size_t used = 0, columns = 0;
    for (; label[used] && used + 4 < sizeof cut; used++) {
        columns += ((unsigned char)label[used] & 0xc0) != 0x80;
        if (columns > width)
            break;
        cut[used] = label[used];
    }
    cut[used] = '\0';
    text_terminal(out, cut);
    for (size_t have = text_width(cut); have < width; have++)
        text_char(out, ' ');
}

static void put_error(text *out, const replay_error *e)
{
    text_printf(out, "  %8.1f %+9.1f", (double)e->median_ns / 1e3, (double)e->largest_ns / 1e3);
}

static void put_names(text *out, const prof_replay *r)
{
    size_t width = 9, count = shown_names(r);
    for (size_t i = 0; i < count; i++) {
        size_t own = text_width(r->names[i].label);
        width = own > width ? own : width;
    }
    width = width > MAX_WIDTH ? MAX_WIDTH : width;
    text_printf(out, "\n%-*s                          duration error         start error           end error\n",
                (int)width, "");
    text_printf(out, "%-*s  launches  recorded    median   largest    median   largest    median   largest\n",
                (int)width, "operation");
    for (size_t i = 0; i < count; i++) {
        const replay_name *n = &r->names[i];
        put_label(out, n->label, width);
        text_printf(out, "  %8llu %9.1f", (unsigned long long)n->launches, (double)n->recorded_ns / 1e3);
        put_error(out, &n->duration);
        put_error(out, &n->start);
        put_error(out, &n->end);
        text_char(out, '\n');
    }
    if (r->name_count > count)
        text_printf(out, "and %zu more; --json has all\n", r->name_count - count);
    text_str(out, "microseconds; errors are replayed minus recorded times; times count from the first start\n");
}

/* One line for each cause, with the operation that is farthest off. */
static void put_causes(text *out, const prof_replay *r)
{
    for (int cause = 0; cause < REPLAY_CAUSES; cause++) {
        const replay_late *worst = NULL;
        size_t count = 0;
        for (size_t i = 0; i < r->late_count; i++) {
            const replay_late *l = &r->late[i];
            if ((int)l->cause != cause)
                continue;
            count++;
            if (!worst || (l->error_ns < 0 ? -l->error_ns : l->error_ns) >
                              (worst->error_ns < 0 ? -worst->error_ns : worst->error_ns))
                worst = l;
        }
        if (!worst)
            continue;
        text_printf(out, "  %zu %s: ", count, replay_cause_text((replay_cause)cause));
        text_terminal(out, r->ops[worst->op].label);
        text_printf(out, " by %.1f us%s\n", (double)(worst->error_ns < 0 ? -worst->error_ns : worst->error_ns) / 1e3,
                    count > 1 ? " most" : "");
    }
}

/* Kernels that ran beside others, and the one that lost the most time. */
static void put_slowed(text *out, const prof_replay *r)
{
    const replay_name *worst = NULL;
    if (!r->beside)
        return;
    text_printf(out, "\nkernels that ran beside others: %llu", (unsigned long long)r->beside);
    if (r->never_alone)
        text_printf(out, ", of which %llu never ran alone, so they cannot be compared",
                    (unsigned long long)r->never_alone);
    text_char(out, '\n');
    if (!r->slowed && r->beside > r->never_alone)
        text_str(out, "  none is slower than the SMs that they share explain\n");
    if (!r->slowed)
        return;
    for (size_t i = 0; i < r->name_count; i++)
        if (r->names[i].slowed && (!worst || r->names[i].slowed_ns > worst->slowed_ns))
            worst = &r->names[i];
    text_printf(out,
                "  slower than the SMs that they share explain (a sign of memory contention): %llu, by %.1f us in all",
                (unsigned long long)r->slowed, (double)r->slowed_ns / 1e3);
    if (worst) {
        text_str(out, "; most ");
        text_terminal(out, worst->label);
        text_printf(out, " by %.1f us in %llu\n", (double)worst->slowed_ns / 1e3, (unsigned long long)worst->slowed);
    }
}

static void put_table(text *out, const prof_replay *r)
{
    put_spans(out, r);
    put_names(out, r);
    if (r->late_count) {
        text_printf(out, "\noperations at which errors of more than %d us begin, by cause:\n", REPLAY_LATE_NS / 1000);
        put_causes(out, r);
    } else {
        text_printf(out, "\nevery operation starts within %d us of the recording, not counting delays it inherited\n",
                    REPLAY_LATE_NS / 1000);
    }
    put_slowed(out, r);
}

/* A replay as gridcast.replay/1 (docs/profiles.md). */

static void put_json_int(text *out, const char *key, int64_t value)
{
    text_printf(out, "\"%s\": %lld", key, (long long)value);
}

static void put_json_error(text *out, const char *key, const replay_error *e)
{
    text_printf(out, ", \"%s\": {", key);
    put_json_int(out, "median_ns", e->median_ns);
    text_str(out, ", ");
    put_json_int(out, "largest_ns", e->largest_ns);
    text_char(out, '}');
}

static void put_json_names(text *out, const prof_replay *r)
{
    text_str(out, ",\n \"names\": [");
    for (size_t i = 0; i < r->name_count; i++) {
        const replay_name *n = &r->names[i];
        text_str(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        text_json(out, n->label);
        text_printf(out, ", \"launches\": %llu, ", (unsigned long long)n->launches);
        put_json_int(out, "recorded_ns", n->recorded_ns);
        put_json_error(out, "duration_error", &n->duration);
        put_json_error(out, "start_error", &n->start);
        put_json_error(out, "end_error", &n->end);
        text_printf(out, ", \"slowed\": %llu, ", (unsigned long long)n->slowed);
        put_json_int(out, "slowed_ns", n->slowed_ns);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void put_json_quantiles(text *out, const char *key, const replay_quantiles *q)
{
    text_printf(out, ",\n \"%s\": {", key);
    put_json_int(out, "median_ns", q->median_ns);
    text_str(out, ", ");
    put_json_int(out, "p90_ns", q->p90_ns);
    text_char(out, '}');
}

static void put_json_late(text *out, const prof_replay *r)
{
    text_str(out, ",\n \"late\": [");
    for (size_t i = 0; i < r->late_count; i++) {
        const replay_late *l = &r->late[i];
        text_str(out, i ? ",\n  {\"label\": " : "\n  {\"label\": ");
        text_json(out, r->ops[l->op].label);
        text_printf(out, ", \"cause\": \"%s\", ", replay_cause_name(l->cause));
        put_json_int(out, "start_ns", r->ops[l->op].start_ns);
        text_str(out, ", ");
        put_json_int(out, "error_ns", l->error_ns);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void put_json(text *out, const char *name, const prof_replay *r)
{
    text_str(out, "{\"schema\": \"gridcast.replay/1\", \"name\": ");
    text_json(out, name);
    text_printf(out, ", \"operations\": %zu,\n ", r->op_count);
    put_json_int(out, "recorded_ns", r->recorded_ns);
    text_str(out, ", ");
    put_json_int(out, "replayed_ns", r->replayed_ns);
    text_str(out, ", \"off_percent\": ");
    text_milli(out, replay_off(r));
    put_json_quantiles(out, "start_error", &r->start);
    put_json_quantiles(out, "duration_error", &r->duration);
    put_json_names(out, r);
    put_json_late(out, r);
    text_printf(out, ",\n \"beside\": {\"kernels\": %llu, \"never_alone\": %llu, \"slowed\": %llu, ",
                (unsigned long long)r->beside, (unsigned long long)r->never_alone, (unsigned long long)r->slowed);
    put_json_int(out, "slowed_ns", r->slowed_ns);
    text_str(out, "}}\n");
}

gcast_status gcast_replay_report(const gcast_replay *replay, gcast_format format, gcast_write_fn write, void *data,
                                 gcast_error *err)
{
    text out;
    if (!replay || !write)
        return argument_missing(err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a replay cannot be written as %s",
                               gcast_name(GCAST_NAMES_FORMAT, format));
    const replay_handle *h = replay->memory;
    text_open(&out, write, data);
    if (format == GCAST_FORMAT_JSON)
        put_json(&out, replay->name, &h->compared);
    else
        put_table(&out, &h->compared);
    return text_finish(&out, err);
}
