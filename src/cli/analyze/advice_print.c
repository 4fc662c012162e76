#include "cli/analyze/advice_print.h"

#include "base/text/units.h"
#include "report/tables/grid.h"

#define MAX_NAMES 100 /* operations that are listed of an order, but of the best one all */

/* A time, or "-" where there is none. */
static void time_cell(grid *g, int column, int64_t ns, bool applies)
{
    char cell[40] = "-";
    if (applies && ns != GCAST_NO_BOUND)
        units_format_time(ns, cell, sizeof cell);
    grid_cell(g, column, cell);
}

static bool put_grid(text *t, grid *g, bool color)
{
    text_char(t, '\n');
    bool ok = (g->rows.count == 0 && !g->failed) || grid_text(g, color, t);
    grid_close(g);
    return ok;
}

/* Does the limit come with a number? */
static bool has_value(gcast_limit limit)
{
    return limit == GCAST_LIMIT_EXACT || limit == GCAST_LIMIT_SAFE || limit == GCAST_LIMIT_TRIED;
}

static bool print_slacks(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    enum { TASK, DEADLINE, END, OP, WITHOUT };
    static const grid_column columns[] = {
        [TASK] = {"task", false},         [DEADLINE] = {"deadline", true},  [END] = {"latest end", true},
        [OP] = {"waits most for", false}, [WITHOUT] = {"without it", true}, {NULL, false}};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < s->slack_count; i++) {
        const gcast_slack *x = &s->slacks[i];
        const gcast_task *task = &w->tasks[x->task];
        grid_add(&g, x->end_ns > task->deadline_ns ? GRID_ALARM : GRID_PLAIN);
        grid_label(&g, TASK, task->name);
        time_cell(&g, DEADLINE, task->deadline_ns, true);
        time_cell(&g, END, x->end_ns, true);
        grid_label(&g, OP, x->op == SIZE_MAX ? "-" : w->ops[x->op].label);
        time_cell(&g, WITHOUT, x->without_ns, x->op != SIZE_MAX);
    }
    return put_grid(t, &g, color);
}

static bool print_growths(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    enum { OP, NOW, MAX, FACTOR, LIMIT };
    static const grid_column columns[] = {
        [OP] = {"kernel", false},    [NOW] = {"longest block", true}, [MAX] = {"may be", true},
        [FACTOR] = {"factor", true}, [LIMIT] = {"limit", false},      {NULL, false}};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < s->growth_count; i++) {
        const gcast_growth *x = &s->growths[i];
        bool value = has_value(x->limit);
        grid_add(&g, value && x->permille < 1000 ? GRID_ALARM : GRID_PLAIN);
        grid_label(&g, OP, w->ops[x->op].label);
        time_cell(&g, NOW, x->longest_ns, true);
        time_cell(&g, MAX, x->max_allowed_ns, value);
        if (value)
            grid_print(&g, FACTOR, "%lld.%03lld", (long long)x->permille / 1000, (long long)x->permille % 1000);
        grid_cell(&g, LIMIT, gcast_limit_name(x->limit));
    }
    return put_grid(t, &g, color);
}

static bool print_periods(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    enum { TASK, NOW, MIN, LIMIT };
    static const grid_column columns[] = {[TASK] = {"task", false},
                                          [NOW] = {"period", true},
                                          [MIN] = {"may be", true},
                                          [LIMIT] = {"limit", false},
                                          {NULL, false}};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < s->period_count; i++) {
        const gcast_min_period *x = &s->periods[i];
        grid_add(&g, GRID_PLAIN);
        grid_label(&g, TASK, w->tasks[x->task].name);
        time_cell(&g, NOW, x->period_ns, true);
        time_cell(&g, MIN, x->min_ns, has_value(x->limit));
        grid_cell(&g, LIMIT, gcast_limit_name(x->limit));
    }
    return put_grid(t, &g, color);
}

/* What the words that occur under "limit" mean. */
static void put_legend(text *t, const gcast_sensitivity *s)
{
    bool listed[GCAST_LIMITS] = {false};
    text_str(t, "\nwithout it: the latest end if that took 1 ns\n");
    for (size_t i = 0; i < s->growth_count; i++)
        listed[s->growths[i].limit] = true;
    for (size_t i = 0; i < s->period_count; i++)
        listed[s->periods[i].limit] = true;
    for (int l = 0; l < GCAST_LIMITS; l++)
        if (listed[l])
            text_printf(t, "%s: %s\n", gcast_limit_name((gcast_limit)l), gcast_limit_text((gcast_limit)l));
}

bool advice_print_sensitivity(text *t, bool color, const gcast_workload *w, const gcast_sensitivity *s)
{
    if (s->why_not) {
        text_str(t, "\nsensitivity: ");
        text_terminal(t, s->why_not);
        text_char(t, '\n');
        return true;
    }
    bool ok = print_slacks(t, color, w, s) && print_growths(t, color, w, s) && print_periods(t, color, w, s);
    put_legend(t, s);
    return ok;
}

/* What is minimised, in words. For the makespan that is the end of the last operation. */
static const char *value_name(gcast_goal goal)
{
    return goal == GCAST_GOAL_MAKESPAN ? "last end" : gcast_goal_name(goal);
}

static void put_value(text *t, gcast_goal goal, int64_t value)
{
    char time[40];
    units_format_time(value, time, sizeof time);
    if (goal == GCAST_GOAL_LATE)
        text_int(t, value);
    else
        text_str(t, time);
}

/* The best order is listed in full, since it is meant to be used; of the others the first MAX_NAMES. */
static void put_order(text *t, const gcast_workload *w, const gcast_orders *o, const char *name, const size_t *order,
                      int64_t value, const char *note)
{
    size_t shown = order == o->best || o->count <= MAX_NAMES ? o->count : MAX_NAMES;
    text_printf(t, "%s %s ", name, value_name(o->goal));
    put_value(t, o->goal, value);
    text_printf(t, "%s:", note);
    for (size_t i = 0; i < shown; i++) {
        text_char(t, ' ');
        text_terminal(t, w->ops[order[i]].label);
    }
    if (shown < o->count)
        text_printf(t, " and %zu more", o->count - shown);
    text_char(t, '\n');
}

void advice_print_orders(text *t, const gcast_workload *w, const gcast_orders *o)
{
    text_char(t, '\n');
    if (o->count < 2) {
        text_str(t, "order: nothing is called together that could be called in another order\n");
        return;
    }
    if (!o->runs) {
        text_printf(t, "order: none was simulated to its end; %s\n", o->stopped ? o->stopped : "it was stopped");
        return;
    }
    if (o->best_proven && o->worst_proven && o->best_value == o->worst_value) {
        text_printf(t, "in every order of %zu operations the same %s: ", o->count, value_name(o->goal));
        put_value(t, o->goal, o->best_value);
        text_printf(t, "\n%llu simulations\n", (unsigned long long)o->runs);
        return;
    }
    put_order(t, w, o, "given", o->given, o->given_value, "");
    put_order(t, w, o, "best ", o->best, o->best_value, o->best_proven ? "" : " (of those tried)");
    put_order(t, w, o, "worst", o->worst, o->worst_value, o->worst_proven ? "" : " (of those tried)");
    if (!o->best_proven) {
        text_str(t, "no order is below ");
        put_value(t, o->goal, o->bound);
        text_str(t, ", so the best may be too large by up to ");
        put_value(t, o->goal, o->best_value - o->bound);
        text_char(t, '\n');
    }
    text_printf(t, "%llu simulations%s%s\n", (unsigned long long)o->runs, o->stopped ? "; " : "",
                o->stopped ? o->stopped : "");
}

bool advice_print_levels(text *t, bool color, const gcast_workload *w, const gcast_levels *l)
{
    enum { STREAM, NOW, NEW };
    static const grid_column columns[] = {
        [STREAM] = {"stream", true}, [NOW] = {"priority", true}, [NEW] = {"may be", true}, {NULL, false}};
    grid g;
    if (l->why_not || !l->found) {
        text_str(t, "\npriorities: ");
        text_terminal(t, l->why_not ? l->why_not
                         : l->none  ? "by this method none meet all deadlines"
                                    : "none were found that meet all deadlines");
        text_str(t, l->why_not || l->none ? "\n" : ", which is no proof that there are none\n");
        return true;
    }
    grid_open(&g, columns);
    for (size_t i = 0; i < l->stream_count; i++) {
        if (!l->assigned[i])
            continue;
        grid_add(&g, GRID_PLAIN);
        grid_print(&g, STREAM, "%d", w->streams[i].id);
        grid_print(&g, NOW, "%d", w->streams[i].priority);
        grid_print(&g, NEW, "%d", l->priorities[i]);
    }
    bool ok = put_grid(t, &g, color);
    text_printf(t, "with these priorities all deadlines are met%s\n",
                l->conditional ? ", if what is assumed of the GPU holds" : "");
    return ok;
}
