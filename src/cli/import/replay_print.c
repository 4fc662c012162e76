#include "cli/import/replay_print.h"

#include <math.h>

#define MOST_NAMES 20 /* rows of the table; JSON has all */
#define MOST_WIDTH 48 /* of a name in it */

int64_t replay_off(const prof_replay *r)
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
    return r->name_count > MOST_NAMES ? MOST_NAMES : r->name_count;
}

/* The label, cut or filled to the width. */
static void put_label(text *out, const char *label, size_t width)
{
    char cut[4 * MOST_WIDTH + 1];
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
    width = width > MOST_WIDTH ? MOST_WIDTH : width;
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
    text_str(out, "microseconds; replayed less recorded, from the first start\n");
}

/* One line for each cause, with the operation that is off most. */
static void put_causes(text *out, const prof_replay *r)
{
    for (int cause = 0; cause < REPLAY_CAUSES; cause++) {
        const replay_late *most = NULL;
        size_t count = 0;
        for (size_t i = 0; i < r->late_count; i++) {
            const replay_late *l = &r->late[i];
            if ((int)l->cause != cause)
                continue;
            count++;
            if (!most || (l->error_ns < 0 ? -l->error_ns : l->error_ns) >
                             (most->error_ns < 0 ? -most->error_ns : most->error_ns))
                most = l;
        }
        if (!most)
            continue;
        text_printf(out, "  %zu %s: ", count, replay_cause_text((replay_cause)cause));
        text_terminal(out, r->ops[most->op].label);
        text_printf(out, " by %.1f us%s\n", (double)(most->error_ns < 0 ? -most->error_ns : most->error_ns) / 1e3,
                    count > 1 ? " most" : "");
    }
}

/* Of which kernels, the one that lost most time. */
static void put_slowed(text *out, const prof_replay *r)
{
    const replay_name *most = NULL;
    if (!r->beside)
        return;
    text_printf(out, "\nkernels that ran beside others: %llu", (unsigned long long)r->beside);
    if (r->never_alone)
        text_printf(out, ", of which never alone, so that they cannot be compared: %llu",
                    (unsigned long long)r->never_alone);
    text_char(out, '\n');
    if (!r->slowed && r->beside > r->never_alone)
        text_str(out, "  none is slower than SMs that they share explain\n");
    if (!r->slowed)
        return;
    for (size_t i = 0; i < r->name_count; i++)
        if (r->names[i].slowed && (!most || r->names[i].slowed_ns > most->slowed_ns))
            most = &r->names[i];
    text_printf(out, "  slower than SMs that they share explain, so that memory is suspected: %llu, by %.1f us in all",
                (unsigned long long)r->slowed, (double)r->slowed_ns / 1e3);
    if (most) {
        text_str(out, "; most ");
        text_terminal(out, most->label);
        text_printf(out, " by %.1f us in %llu\n", (double)most->slowed_ns / 1e3, (unsigned long long)most->slowed);
    }
}

void replay_table(text *out, const prof_replay *r)
{
    put_spans(out, r);
    put_names(out, r);
    if (r->late_count) {
        text_printf(out, "\nwhere errors of more than %d us begin, and what the profile shows there:\n",
                    REPLAY_LATE_NS / 1000);
        put_causes(out, r);
    } else {
        text_printf(out, "\nevery operation starts within %d us of the recording, not counting delays it inherited\n",
                    REPLAY_LATE_NS / 1000);
    }
    put_slowed(out, r);
}
