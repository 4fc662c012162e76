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

/* Null where nothing bounds it. */
static int64_t bounded(int64_t value)
{
    return value == SYS_UNBOUNDED ? JSON_UNKNOWN : value;
}

#define SCORE_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(int, not_met, true, bounded(score->missed), "requirements that are not met")                                 \
    FIELD(ns, late_ns, true, bounded(score->late_ns), "sum of how late they are")                                      \
    FIELD(ns, value_ns, is_time, bounded(score->value), "objective, where it is a time")                               \
    FIELD(int, slack_millionths, !is_time, is_bounded ? -score->value : JSON_UNKNOWN, "objective slack")

static void put_score(json_out *j, const sys_search_score *score, bool is_time)
{
    bool is_bounded = score->value != SYS_UNBOUNDED;
    PUT_FIELDS(SCORE_FIELDS);
}

#define PLACE_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(text, core, true, p->core == SYS_GPU ? NULL : s->cores[p->core].name, "its core; null: the GPU")             \
    FIELD(bool, gpu, true, p->core == SYS_GPU, "it is the GPU")                                                        \
    FIELD(int, priority, true, p->priority, "priority")                                                                \
    FIELD(text, wait, true, wait_name(p), "busy or suspend: how it waits")

FIELD_WRITER(put_place, PLACE_FIELDS, const sys_system *s, const sys_place *p)

#define CHANGE_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, task, true, a->of->tasks[i].name, "its name")                                                          \
    FIELD(record, from, true, put_place(j, a->of, &a->of->places[i]), "place in the model")                            \
    FIELD(record, to, true, put_place(j, a->of, &a->places[i]), "place that was found")

static void put_changes(json_out *j, const sys_answer *a)
{
    for (size_t i = 0; i < a->of->task_count; i++)
        if (is_changed(&a->of->places[i], &a->places[i]))
            PUT_ELEMENT(CHANGE_FIELDS);
}

#define SEARCH_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, how, true, s->how, "how mappings were searched")                                                       \
    FIELD(text, objective, true, s->objective, "what was to be improved")                                              \
    FIELD(count, tried, true, s->tried, "mappings that were tried")                                                    \
    FIELD(count, analyzed, true, s->analyzed, "of these, mappings that were analyzed")                                 \
    FIELD(count, seed, true, s->seed, "seed of the search")                                                            \
    FIELD(bool, complete, true, s->is_complete, "all mappings were tried")                                             \
    FIELD(bool, better, true, s->is_better, "false: the rest is of the model's own mapping")                           \
    LINE(record, before, true, put_score(j, &s->before, s->is_time), "score of the model's mapping")                   \
    LINE(record, after, true, put_score(j, &s->after, s->is_time), "score of the one that was found")                  \
    LINE(list, changes, true, put_changes(j, a), "tasks that move")

const field search_fields[] = FIELDS(SEARCH_FIELDS), search_score_fields[] = FIELDS(SCORE_FIELDS),
            search_change_fields[] = FIELDS(CHANGE_FIELDS), search_place_fields[] = FIELDS(PLACE_FIELDS);

void search_json(const sys_answer *a, const sys_search *s, json_out *j)
{
    PUT_FIELDS(SEARCH_FIELDS);
}
