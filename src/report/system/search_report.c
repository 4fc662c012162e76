#include "report/system/search_report.h"

#include <stdio.h>

#include "base/integers.h"
#include "report/system/system_words.h"

enum { WHAT, BEFORE, AFTER };
enum { TASK, CORE, PRIORITY, WAIT };

void search_title(const sys_search *s, text *out)
{
    text_printf(out, "%llu mappings tried, %llu of them analyzed: %s%s", (unsigned long long)s->tried,
                (unsigned long long)s->analyzed, s->how, s->is_complete ? "" : "; not all that was planned");
    if (!s->is_better)
        text_str(out, "; none is better than that of the model");
}

/* A sum of times, which is unbounded where one of them is. */
static void value_cell(grid *g, int column, int64_t ns, time_format f)
{
    if (ns == SYS_UNBOUNDED)
        grid_cell(g, column, "no bound");
    else
        bound_worst(g, column, ns, f);
}

static void value_row(sys_grid *t, const char *what, int64_t before, int64_t after, time_format f)
{
    grid_add(&t->g, GRID_PLAIN);
    grid_cell(&t->g, WHAT, what);
    value_cell(&t->g, BEFORE, before, f);
    value_cell(&t->g, AFTER, after, f);
}

/* Slack in percent of the deadline. */
static void slack_cell(grid *g, int column, int64_t negated)
{
    if (negated == SYS_UNBOUNDED)
        grid_cell(g, column, "no bound");
    else
        grid_print(g, column, "%.2f %%", (double)-negated / 1e4);
}

static int64_t longest_of(const sys_search *s)
{
    const int64_t times[] = {s->before.late_ns, s->after.late_ns, s->is_time ? s->before.value : 0,
                             s->is_time ? s->after.value : 0};
    int64_t longest = 0;
    for (int i = 0; i < 4; i++)
        longest = times[i] == SYS_UNBOUNDED ? longest : max_i64(longest, times[i]);
    return longest;
}

void grid_of_scores(sys_grid *t, const sys_search *s)
{
    static const grid_column columns[] = {{"search", false}, {"before", true}, {"after", true}, {NULL, false}};
    int64_t longest = longest_of(s);
    time_format f = bound_format(longest);
    const int64_t times[] = {s->before.late_ns, s->after.late_ns, s->before.value, s->after.value};
    for (int i = 0; i < (s->is_time ? 4 : 2); i++)
        bound_include(&f, times[i]);
    if (longest)
        sys_grid_open(t, columns, "search", f);
    else
        grid_open(&t->g, columns);
    grid_add(&t->g, GRID_PLAIN);
    grid_cell(&t->g, WHAT, "not met");
    grid_print(&t->g, BEFORE, "%lld", (long long)s->before.missed);
    grid_print(&t->g, AFTER, "%lld", (long long)s->after.missed);
    if (s->before.broken || s->after.broken) {
        grid_add(&t->g, GRID_ALARM);
        grid_cell(&t->g, WHAT, "constraints on cores broken");
        grid_print(&t->g, BEFORE, "%lld", (long long)s->before.broken);
        grid_print(&t->g, AFTER, "%lld", (long long)s->after.broken);
    }
    if (s->before.late_ns || s->after.late_ns)
        value_row(t, "late by, in sum", s->before.late_ns, s->after.late_ns, f);
    if (s->is_time) {
        value_row(t, s->value, s->before.value, s->after.value, f);
        return;
    }
    grid_add(&t->g, GRID_PLAIN);
    grid_cell(&t->g, WHAT, s->value);
    slack_cell(&t->g, BEFORE, s->before.value);
    slack_cell(&t->g, AFTER, s->after.value);
}

static bool is_changed(const sys_place *from, const sys_place *to)
{
    return from->core != to->core || from->priority != to->priority || from->busy != to->busy;
}

static const char *wait_name(const sys_place *p)
{
    return p->busy ? "busy" : "suspend";
}

static void core_cell(grid *g, const sys_system *s, int from, int to)
{
    char words[256];
    snprintf(words, sizeof words, "%.100s to %.100s", system_place_name(s, from), system_place_name(s, to));
    grid_label_cut(g, CORE, 0, words, 2 * TASK_COLUMNS);
}

void grid_of_changes(sys_grid *t, const sys_answer *a)
{
    static const grid_column columns[] = {
        {"change", false}, {"core", false}, {"priority", false}, {"wait", false}, {NULL, false}};
    const sys_system *s = a->of;
    grid_open(&t->g, columns);
    for (size_t i = 0; i < s->task_count; i++) {
        const sys_place *from = &s->places[i], *to = &a->places[i];
        if (!is_changed(from, to))
            continue;
        grid_add(&t->g, GRID_PLAIN);
        grid_label_cut(&t->g, TASK, 0, s->tasks[i].name, TASK_COLUMNS);
        if (from->core != to->core)
            core_cell(&t->g, s, from->core, to->core);
        if (from->priority != to->priority && to->core != SYS_GPU)
            grid_print(&t->g, PRIORITY, "%lld to %lld", (long long)from->priority, (long long)to->priority);
        if (from->busy != to->busy)
            grid_print(&t->g, WAIT, "%s to %s", wait_name(from), wait_name(to));
    }
}

static void put_number(text *out, const char *key, int64_t number)
{
    text_printf(out, "\"%s\": ", key);
    if (number == SYS_UNBOUNDED)
        text_str(out, "null");
    else
        text_int(out, number);
}

static void put_score(text *out, const char *key, const sys_search_score *score, bool is_time)
{
    text_printf(out, ",\n  \"%s\": {", key);
    put_number(out, "not_met", score->missed);
    text_str(out, ", ");
    put_number(out, "late_ns", score->late_ns);
    text_str(out, ", ");
    int64_t value = is_time || score->value == SYS_UNBOUNDED ? score->value : -score->value;
    put_number(out, is_time ? "value_ns" : "slack_millionths", value);
    text_char(out, '}');
}

static void put_place(text *out, const sys_system *s, const sys_place *p)
{
    text_str(out, "{\"core\": ");
    if (p->core == SYS_GPU)
        text_str(out, "null");
    else
        text_json(out, s->cores[p->core].name);
    text_printf(out, ", \"gpu\": %s, \"priority\": ", p->core == SYS_GPU ? "true" : "false");
    text_int(out, p->priority);
    text_printf(out, ", \"wait\": \"%s\"}", wait_name(p));
}

void search_json(const sys_answer *a, const sys_search *s, text *out)
{
    bool first = true;
    text_str(out, ",\n \"search\": {\"how\": ");
    text_json(out, s->how);
    text_printf(out, ", \"objective\": \"%s\", \"tried\": %llu, \"analyzed\": %llu, \"seed\": %llu", s->objective,
                (unsigned long long)s->tried, (unsigned long long)s->analyzed, (unsigned long long)s->seed);
    text_printf(out, ", \"complete\": %s, \"better\": %s", s->is_complete ? "true" : "false",
                s->is_better ? "true" : "false");
    put_score(out, "before", &s->before, s->is_time);
    put_score(out, "after", &s->after, s->is_time);
    text_str(out, ",\n  \"changes\": [");
    for (size_t i = 0; i < a->of->task_count; i++) {
        if (!is_changed(&a->of->places[i], &a->places[i]))
            continue;
        text_str(out, first ? "\n   {\"task\": " : ",\n   {\"task\": ");
        text_json(out, a->of->tasks[i].name);
        text_str(out, ", \"from\": ");
        put_place(out, a->of, &a->of->places[i]);
        text_str(out, ", \"to\": ");
        put_place(out, a->of, &a->places[i]);
        text_char(out, '}');
        first = false;
    }
    text_str(out, "]}");
}
