/* Tables of tasks: response times by core, and what they are made of. */
#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/number.h"
#include "report/canvas/font.h"
#include "report/system/grids/system_grids.h"
#include "report/system/system_words.h"

#define ROOM 100 /* columns of a line */

enum { TASK, PRIORITY, PERIOD, BEST, SEEN, WORST, DEADLINE, VERDICT, LIMIT };

/* By periods and deadlines: responses of an overloaded system may be far longer. */
static time_format format_of(const sys_system *s)
{
    int64_t longest = 0;
    for (size_t i = 0; i < s->task_count; i++)
        longest = max_i64(longest, max_i64(system_shown_period(s, i), s->tasks[i].deadline_ns));
    return bound_format(longest);
}

/* The row above the tasks of a core. */
static void add_place(grid *g, const sys_answer *a, int core)
{
    const sys_system *s = a->of;
    char words[200];
    grid_add(g, GRID_DIM);
    if (core == SYS_GPU) {
        snprintf(words, sizeof words, "%.60s (%.40s), %s", *s->gpu_name ? s->gpu_name : "GPU", s->gpu->name,
                 s->sharing == SYS_SLICES ? "slices" : "streams");
    } else {
        double percent = a->cores[core].utilization * 100;
        number_print(words, sizeof words, "%.60s (%.40s), %.1f %%", s->cores[core].name, s->kinds[s->cores[core].kind],
                     percent);
    }
    system_label(g, TASK, 0, words, LABEL_CHARS);
}

/* How wide the last column may be, so that lines fit. */
static int limit_room(const sys_answer *a)
{
    size_t name = 8;
    for (size_t i = 0; i < a->of->task_count; i++)
        name = max_size(name, text_width(a->of->tasks[i].name));
    return max_int(16, ROOM - 2 - min_int((int)min_size(name, 1000), TASK_COLUMNS) - 4 - 7 - 7 - 7 - 7 - 8 - 8 - 16);
}

static void add_task(grid *g, const sys_answer *a, size_t i, time_format f, int room)
{
    const sys_task *task = &a->of->tasks[i];
    const sys_task_answer *t = &a->tasks[i];
    char limit[160];
    bool bad = t->verdict == GCAST_DEADLINE_MISSED || t->verdict == GCAST_DEADLINE_OPEN || t->worst_ns == SYS_UNBOUNDED;
    grid_add(g, bad ? GRID_ALARM : GRID_PLAIN);
    system_label(g, TASK, 2, task->name, TASK_COLUMNS);
    if (task->isr)
        grid_cell(g, PRIORITY, "ISR");
    else
        grid_print(g, PRIORITY, "%lld", (long long)a->places[i].priority);
    system_period_cell(g, PERIOD, a->of, i, f);
    bound_best(g, BEST, t->best_ns, f);
    bound_worst(g, SEEN, t->seen_ns, f);
    bound_worst(g, WORST, t->worst_ns, f);
    time_format_cell(g, DEADLINE, task->deadline_ns, task->deadline_ns > 0, f);
    grid_cell(g, VERDICT, system_verdict_words(t));
    system_limit_words(a, i, limit, sizeof limit);
    system_label(g, LIMIT, 0, limit, room);
}

void grid_of_tasks(sys_grid *t, const sys_answer *a)
{
    static const grid_column columns[] = {
        {"", false},     {"prio", true},     {"period", true},   {"best", true},        {"seen", true},
        {"worst", true}, {"deadline", true}, {"verdict", false}, {"limited by", false}, {NULL, false}};
    time_format f = format_of(a->of);
    size_t *order = system_task_order(a->of, a->places);
    int last = SYS_GPU - 1, room = limit_room(a);
    for (size_t i = 0; i < a->of->task_count; i++) {
        time_format_include(&f, system_shown_period(a->of, i));
        time_format_include(&f, a->of->tasks[i].deadline_ns);
        bound_include(&f, a->tasks[i].best_ns);
        bound_include(&f, a->tasks[i].worst_ns);
        bound_include(&f, a->tasks[i].seen_ns);
    }
    sys_grid_open(t, columns, "task", f);
    t->g.failed = !order;
    for (size_t i = 0; order && i < a->of->task_count; i++) {
        int core = a->places[order[i]].core;
        if (core != last)
            add_place(&t->g, a, core);
        last = core;
        add_task(&t->g, a, order[i], f, room);
    }
    free(order);
}

enum { OF_TASK, OF_OWN, OF_CODE, OF_ACCESS, OF_BEFORE, OF_BLOCKING, OF_WAITING };

void grid_of_parts(sys_grid *t, const sys_answer *a)
{
    static const grid_column columns[] = {{"", false},         {"worst", true},   {"code", true},  {"memory", true},
                                          {"preempted", true}, {"blocked", true}, {"waits", true}, {NULL, false}};
    time_format f = format_of(a->of);
    f.max_decimals = f.unit->digits; /* exact, so that parts sum up */
    size_t *order = system_task_order(a->of, a->places);
    for (size_t i = 0; i < a->of->task_count; i++) {
        const sys_task_answer *r = &a->tasks[i];
        const int64_t parts[] = {r->own_worst_ns,    r->computation_ns, r->access_ns,
                                 r->interference_ns, r->blocking_ns,    r->waiting_ns};
        for (int k = 0; k < 6 && r->own_worst_ns != SYS_UNBOUNDED; k++)
            bound_include(&f, parts[k]);
    }
    sys_grid_open(t, columns, "from its release", f);
    t->g.failed = !order;
    for (size_t i = 0; order && i < a->of->task_count; i++) {
        const sys_task_answer *r = &a->tasks[order[i]];
        bool known = r->own_worst_ns != SYS_UNBOUNDED;
        grid_add(&t->g, known ? GRID_PLAIN : GRID_DIM);
        system_label(&t->g, OF_TASK, 0, a->of->tasks[order[i]].name, TASK_COLUMNS);
        time_format_cell(&t->g, OF_OWN, r->own_worst_ns, known, f);
        time_format_cell(&t->g, OF_CODE, r->computation_ns, known, f);
        time_format_cell(&t->g, OF_ACCESS, r->access_ns, known, f);
        time_format_cell(&t->g, OF_BEFORE, r->interference_ns, known, f);
        time_format_cell(&t->g, OF_BLOCKING, r->blocking_ns, known, f);
        time_format_cell(&t->g, OF_WAITING, r->waiting_ns, known, f);
    }
    free(order);
}
