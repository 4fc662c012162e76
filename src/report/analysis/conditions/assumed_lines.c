/* Numbers of the GPU that nobody has measured and that were moved: as lines below the table of an answer, and in JSON.
 */
#include "report/analysis/conditions/assumed_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/gpu/fields.h"

#define FROM_ZERO_NS 10000 /* how far most times of 0 are moved */

/* What is chosen by name, not by a number; NULL: it is a number. */
static const char *choice_name(const gcast_assumed *p, int64_t value)
{
    if (strcmp(p->field, "placement") == 0)
        return gcast_placement_name((gcast_placement)value);
    if (strcmp(p->field, "tie_order") == 0)
        return gcast_tie_order_name((gcast_tie_order)value);
    return strcmp(p->field, "register_quarters") != 0 ? NULL : value ? "true" : "false";
}

static void put_value(const gcast_assumed *p, int64_t value, text *out)
{
    char number[48];
    const char *name = choice_name(p, value);
    const gpu_field *field = gpu_field_find(p->field); /* NULL: carveouts, of which there are so many */
    if (!name && field)
        gpu_field_format(field, value, number, sizeof number);
    else if (!name)
        snprintf(number, sizeof number, "%lld sizes", (long long)value);
    text_str(out, name ? name : number);
}

/* "stream_gap_ns 0ns (met up to 4.2us)" */
static void put_limit(const gcast_assumed *p, text *out)
{
    bool is_more = p->is_count && !p->downward && !choice_name(p, p->value);
    text_printf(out, "%s ", p->field);
    put_value(p, p->value, out);
    text_str(out, is_more ? " (more: " : " (");
    if (p->limit == p->value) {
        text_str(out, p->tried ? "met as it is)" : "not tried alone)");
        return;
    }
    text_str(out, p->between_open ? "met at " : p->downward ? "met down to " : "met up to ");
    put_value(p, p->limit, out);
    text_char(out, ')');
}

static bool needs_limit(const gcast_assumed *p)
{
    return p->matters || !p->tried || (p->is_count && p->between_open);
}

/* Fewer and more of a count are two, one behind the other; without effect it is named once. */
static bool is_named(const gcast_answer *a, size_t i)
{
    return i && strcmp(a->assumed[i].field, a->assumed[i - 1].field) == 0 && !needs_limit(&a->assumed[i - 1]);
}

static void put_without_effect(const gcast_answer *a, const gcast_assumed *p, text *out)
{
    text_str(out, p->field);
    if (p->is_count && a->assumed_hold_at_once)
        text_str(out, " (alone)");
    if (!p->is_count && !p->value && p->limit != FROM_ZERO_NS) {
        text_str(out, " (");
        put_value(p, p->limit, out);
        text_char(out, ')');
    }
}

/* Lists the parameters behind a title; false: there are none. */
static bool list(const gcast_answer *a, bool with_limit, const char *title, text *out)
{
    bool has_any = false;
    for (size_t i = 0; i < a->assumed_count; i++) {
        const gcast_assumed *p = &a->assumed[i];
        if (needs_limit(p) != with_limit || (!with_limit && is_named(a, i)))
            continue;
        text_str(out, has_any ? ", " : title);
        if (with_limit)
            put_limit(p, out);
        else
            put_without_effect(a, p, out);
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
    char title[160];
    snprintf(title, sizeof title, "assumed, and without effect %s, %s: ",
             is_open_between(a) ? "at 3 and 10 times (3us and 10us from 0; not known between)"
                                : "up to 10 times (10us from 0)",
             how);
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
        text_printf(out, "%s{\"field\": \"%s\"", i ? ",\n  " : "\n  ", p->field);
        if (choice_name(p, p->value)) {
            text_printf(out, ", \"value\": \"%s\", \"matters\": true}", choice_name(p, p->value));
            continue;
        }
        text_printf(out, ", \"value\": %" PRId64, p->value);
        if (p->is_count)
            text_printf(out, ", \"moved\": \"%s\"", p->downward ? "fewer" : "more");
        if (p->tried)
            text_printf(out, ", \"matters\": %s", p->matters ? "true" : "false");
        text_printf(out, ", \"limit\": %" PRId64 "%s}", p->limit, p->between_open ? ", \"between_open\": true" : "");
    }
    text_char(out, ']');
}
