#include "report/analysis/answer_conditions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "gridcast/names.h"
#include "model/gpu_fields.h"

/* These write the numbers of the GPU that nobody has measured, and how far they can be moved without effect. */

#define FROM_ZERO_NS 10000 /* most times of 0 are moved up to this */

const char *assumed_choice(const gcast_assumed *p, int64_t value)
{
    if (strcmp(p->field, "placement") == 0)
        return gcast_name(GCAST_NAMES_PLACEMENT, (gcast_placement)value);
    if (strcmp(p->field, "tie_order") == 0)
        return gcast_name(GCAST_NAMES_TIE_ORDER, (gcast_tie_order)value);
    return strcmp(p->field, "register_quarters") != 0 ? NULL : value ? "true" : "false";
}

static void put_value(const gcast_assumed *p, int64_t value, text *out)
{
    char number[48];
    const char *name = assumed_choice(p, value);
    const gpu_field *field = gpu_field_find(p->field); /* NULL: the number of carveout sizes */
    if (!name && field)
        gpu_field_format(field, value, number, sizeof number);
    else if (!name)
        snprintf(number, sizeof number, "%lld sizes", (long long)value);
    text_str(out, name ? name : number);
}

/* "stream_gap_ns 0ns (met up to 4.2us)" */
static void put_limit(const gcast_assumed *p, text *out)
{
    bool is_more = p->is_count && !p->downward && !assumed_choice(p, p->value);
    text_printf(out, "%s ", p->field);
    put_value(p, p->value, out);
    text_str(out, is_more ? " (more: " : " (");
    if (p->limit == p->value) {
        text_str(out, p->tried ? "met with this value)" : "not tried alone)");
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

/* Was this field named just before? A count has two entries, fewer and more; without effect it is named once. */
static bool was_named(const gcast_answer *a, size_t i)
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

/* Writes a title and the numbers with or without a limit; false and nothing where there are none. */
static bool put_list(const gcast_answer *a, bool with_limit, const char *title, text *out)
{
    bool has_any = false;
    for (size_t i = 0; i < a->assumed_count; i++) {
        const gcast_assumed *p = &a->assumed[i];
        if (needs_limit(p) != with_limit || (!with_limit && was_named(a, i)))
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

/* May some number without effect have one at values between those that were tried? */
static bool is_open_between(const gcast_answer *a)
{
    for (size_t i = 0; i < a->assumed_count; i++)
        if (!needs_limit(&a->assumed[i]) && !a->assumed[i].is_count && a->assumed[i].between_open)
            return true;
    return false;
}

void assumed_lines(const gcast_answer *a, text *out)
{
    bool has_limits = put_list(a, true, "assumed of this GPU: ", out);
    const char *how = a->assumed_hold_at_once ? "if all change at once"
                      : has_limits            ? "if one changes"
                                              : "if one changes, not if all change";
    char title[200];
    snprintf(title, sizeof title, "assumed; deadlines stay met %s, %s: ",
             is_open_between(a) ? "at 3 and 10 times the value (3us and 10us if it is 0; not known between these)"
                                : "up to 10 times the value (10us if it is 0)",
             how);
    put_list(a, false, title, out);
}

void assumed_condition(const gcast_answer *a, text *out)
{
    if (a->rests_on_assumed)
        text_printf(out, "%s the assumed values of the GPU hold", a->conditional ? ", and" : ", if");
}

void duration_line(const gcast_answer *a, text *out)
{
    if (a->duration_percent)
        text_printf(
            out,
            "open, but method bound shows that all deadlines are met if kernels take at most %d %% of their time%s\n",
            a->duration_percent, a->percent_may_be_larger ? " (perhaps more)" : "");
}

#define MAX_NAMED 5 /* ops in the line of growing responses */

const gcast_response *growth_fastest(const gcast_answer *a)
{
    const gcast_response *found = NULL;
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].growth_ns && (!found || a->responses[i].growth_ns > found->growth_ns))
            found = &a->responses[i];
    return found;
}

/* "A, B and 3 more" */
static void put_growing(const gcast_answer *a, text *out)
{
    size_t n = 0;
    for (size_t i = 0; i < a->response_count; i++)
        if (a->responses[i].growth_ns && n++ < MAX_NAMED) {
            text_str(out, n == 1 ? "" : ", ");
            text_terminal(out, a->workload->ops[a->responses[i].op].label);
        }
    if (n > MAX_NAMED)
        text_printf(out, " and %zu more", n - MAX_NAMED);
}

void growth_lines(const gcast_answer *a, text *out)
{
    const gcast_response *r = growth_fastest(a);
    char growth[40], period[40];
    int64_t hyperperiod;
    if (a->growth == GCAST_BACKLOG_PILES_UP) {
        text_str(out, "piles up: ");
        text_terminal(out, a->growth_why);
        text_char(out, '\n');
    }
    if (a->growth == GCAST_BACKLOG_UNKNOWN || !r || !gcast_workload_hyperperiod(a->workload, &hyperperiod))
        return;
    units_format_time(r->growth_ns, growth, sizeof growth);
    units_format_time(hyperperiod, period, sizeof period);
    if (a->growth == GCAST_BACKLOG_GROWS)
        text_printf(out, "grows (seen over %llu hyperperiods, without a proof that it continues): ",
                    (unsigned long long)a->growth_hyperperiods);
    else
        text_str(out, "grows: ");
    put_growing(a, out);
    text_printf(out, ", by up to %s per hyperperiod of %s\n", growth, period);
}

/* These write how long calls take to reach the GPU in the answer. */

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
        text_str(out, "not measured on this GPU; assumed to be ");
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
    while (ns / unit >= 1000)
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
        text_str(out, ", if every call takes exactly the assumed time");
        return;
    }
    units_format_time(rounded(a->launch_limit_ns), time, sizeof time);
    text_printf(out, ", if %s takes no longer than %s%s", calls, time, a->limit_may_be_longer ? " (at least)" : "");
}

void note_condition(const gcast_answer *a, text *out)
{
    bool has_other = a->conditional || a->rests_on_assumed || a->rests_on_open;
    if (a->workload->note_count)
        text_printf(out, "%s nothing that was left out of the workload delays it", has_other ? ", and" : ", if");
}

void note_lines(const gcast_answer *a, text *out)
{
    for (size_t i = 0; i < a->workload->note_count; i++) {
        text_str(out, "left out or assumed: ");
        text_terminal(out, a->workload->notes[i]);
        text_char(out, '\n');
    }
}

void open_condition(const gcast_answer *a, text *out)
{
    if (a->rests_on_open)
        text_printf(out, "%s what the workload does not say is as assumed",
                    a->conditional || a->rests_on_assumed ? ", and" : ", if");
}

void open_lines(const gcast_answer *a, text *out)
{
    if (a->rests_on_carveouts)
        text_str(out, "the workload does not say, and it may matter: \"carveout\" of kernels, assumed to be most; "
                      "CUDA's default is driver\n");
    if (a->rests_on_blocking)
        text_str(out, "the workload does not say, and it may matter: \"blocking\" of streams, assumed to be false; "
                      "streams of cudaStreamCreate are blocking\n");
    if (a->rests_on_registers && a->open_registers)
        text_printf(out,
                    "the workload does not say, and it may matter: \"registers\" of kernels, assumed to be 0; up to %d "
                    "per thread change nothing\n",
                    a->open_registers);
    else if (a->rests_on_registers)
        text_str(out, "the workload does not say, and it may matter: \"registers\" of kernels, assumed to be 0\n");
}
