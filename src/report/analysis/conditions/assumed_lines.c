/* Numbers of the GPU that nobody has measured and that were moved: as lines below the table of an answer, and in JSON.
 */
#include "report/analysis/conditions/assumed_lines.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/gpu/fields.h"

static void put_value(const gcast_assumed *p, int64_t value, text *out)
{
    char number[48];
    gpu_field_format(gpu_field_find(p->field), value, number, sizeof number);
    text_str(out, number);
}

/* "stream_gap_ns 0ns (met up to 4.2us)" */
static void put_limit(const gcast_assumed *p, text *out)
{
    text_printf(out, "%s ", p->field);
    put_value(p, p->value, out);
    if (p->limit == p->value) {
        text_str(out, p->tried ? " (met as it is)" : " (not tried alone)");
        return;
    }
    text_str(out, p->between_open ? " (met at " : p->downward ? " (met down to " : " (met up to ");
    put_value(p, p->limit, out);
    text_char(out, ')');
}

static bool needs_limit(const gcast_assumed *p)
{
    return p->matters || !p->tried;
}

/* Lists the parameters behind a title; false: there are none. */
static bool list(const gcast_answer *a, bool with_limit, const char *title, text *out)
{
    bool has_any = false;
    for (size_t i = 0; i < a->assumed_count; i++) {
        const gcast_assumed *p = &a->assumed[i];
        if (needs_limit(p) != with_limit)
            continue;
        text_str(out, has_any ? ", " : title);
        if (with_limit)
            put_limit(p, out);
        else
            text_printf(out, "%s%s", p->field, p->is_count && a->assumed_hold_at_once ? " (alone)" : "");
        has_any = true;
    }
    if (has_any)
        text_char(out, '\n');
    return has_any;
}

/* Is one of those without effect so only at the values tried, for all that is known? */
static bool is_open_between(const gcast_answer *a)
{
    for (size_t i = 0; i < a->assumed_count; i++)
        if (!needs_limit(&a->assumed[i]) && !a->assumed[i].is_count && a->assumed[i].between_open)
            return true;
    return false;
}

void assumed_lines(const gcast_answer *a, text *out)
{
    bool has_limits = list(a, true, "assumed of this GPU: ", out);
    const char *how = a->assumed_hold_at_once ? "all at once"
                      : has_limits            ? "each alone"
                                              : "each alone, but not all at once";
    char title[128];
    snprintf(title, sizeof title, "assumed, and without effect %s, %s: ",
             is_open_between(a) ? "at 3 and 10 times (3us and 10us from 0)" : "up to 10 times (10us from 0)", how);
    list(a, false, title, out);
}

void assumed_condition(const gcast_answer *a, text *out)
{
    if (a->rests_on_assumed)
        text_printf(out, "%s what is assumed of the GPU holds", a->conditional ? ", and" : ", if");
}

void assumed_json(const gcast_answer *a, text *out)
{
    if (!a->assumed_count)
        return;
    text_printf(out, ",\n \"rests_on_assumed\": %s,\n \"assumed\": [", a->rests_on_assumed ? "true" : "false");
    for (size_t i = 0; i < a->assumed_count; i++) {
        const gcast_assumed *p = &a->assumed[i];
        text_printf(out, "%s{\"field\": \"%s\", \"value\": %" PRId64, i ? ",\n  " : "\n  ", p->field, p->value);
        if (p->tried)
            text_printf(out, ", \"matters\": %s", p->matters ? "true" : "false");
        text_printf(out, ", \"limit\": %" PRId64 "%s}", p->limit, p->between_open ? ", \"between_open\": true" : "");
    }
    text_char(out, ']');
}
