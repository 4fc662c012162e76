#include "report/system/system_grids.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/number.h"
#include "base/units.h"
#include "gridcast/names.h"
#include "report/canvas/font.h"
#include "report/system/system_words.h"

void sys_grid_open(sys_grid *t, const grid_column *columns, const char *title, time_format f)
{
    int count = 0;
    snprintf(t->first_title, sizeof t->first_title, "%s; times in %s", title, f.unit->name);
    for (; columns[count].title; count++)
        t->columns[count] = columns[count];
    t->columns[0].title = t->first_title;
    t->columns[count] = (grid_column){NULL, false};
    grid_open(&t->g, t->columns);
}

/* grid_of_tasks lists response times by core, grid_of_parts what these are made of. */

#define ROOM 100 /* columns of a line */

enum { TASK, PRIORITY, PERIOD, BEST, SEEN, WORST, DEADLINE, VERDICT, LIMIT };

/* For periods and deadlines: responses of an overloaded system may be far longer. */
static time_format task_format(const sys_system *s)
{
    int64_t longest = 0;
    for (size_t i = 0; i < s->task_count; i++)
        longest = max_i64(longest, max_i64(system_shown_period(s, i), s->tasks[i].deadline_ns));
    return bound_format(longest);
}

/* Adds the row above the tasks of a core. */
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
    grid_label_cut(g, TASK, 0, words, LABEL_CHARS);
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
    grid_label_cut(g, TASK, 2, task->name, TASK_COLUMNS);
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
    grid_label_cut(g, LIMIT, 0, limit, room);
}

void grid_of_tasks(sys_grid *t, const sys_answer *a)
{
    static const grid_column columns[] = {
        {"", false},     {"prio", true},     {"period", true},   {"best", true},        {"seen", true},
        {"worst", true}, {"deadline", true}, {"verdict", false}, {"limited by", false}, {NULL, false}};
    time_format f = task_format(a->of);
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
    time_format f = task_format(a->of);
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
        grid_label_cut(&t->g, OF_TASK, 0, a->of->tasks[order[i]].name, TASK_COLUMNS);
        time_format_cell(&t->g, OF_OWN, r->own_worst_ns, known, f);
        time_format_cell(&t->g, OF_CODE, r->computation_ns, known, f);
        time_format_cell(&t->g, OF_ACCESS, r->access_ns, known, f);
        time_format_cell(&t->g, OF_BEFORE, r->interference_ns, known, f);
        time_format_cell(&t->g, OF_BLOCKING, r->blocking_ns, known, f);
        time_format_cell(&t->g, OF_WAITING, r->waiting_ns, known, f);
    }
    free(order);
}

/* grid_of_gpu_ops lists copies and kernels, grid_of_steps the steps of tasks on cores. */

enum { STEP, STEP_WHAT, ALONE, ALONE_TO, OWN, END, END_TO };

static bool on_gpu(const sys_answer *a, size_t task)
{
    return a->places[task].core == SYS_GPU;
}

/* A format for the steps of tasks on the GPU (`gpu`), or on cores. */
static time_format step_format(const sys_answer *a, bool gpu)
{
    int64_t longest = 0;
    time_format f = bound_format(0);
    for (int pass = 0; pass < 2; pass++) {
        f = bound_format(longest);
        for (size_t i = 0; i < a->of->task_count; i++)
            for (size_t k = 0; on_gpu(a, i) == gpu && k < a->of->tasks[i].step_count; k++) {
                const sys_step_times *s = &a->tasks[i].steps[k];
                const int64_t times[] = {s->alone_best_ns, s->alone_worst_ns, s->end_best_ns, s->end_worst_ns,
                                         gpu ? s->own_worst_ns : 0};
                for (int n = 0; n < 5; n++) {
                    if (times[n] != SYS_UNBOUNDED)
                        longest = max_i64(longest, times[n]);
                    bound_include(&f, times[n]);
                }
            }
    }
    return f;
}

/* "d2h 24 KB", "kernel 16 x 256". */
static void op_cell(grid *g, const gcast_op *op)
{
    char size[40];
    if (op->kind == GCAST_KIND_KERNEL) {
        unsigned long long blocks = (unsigned long long)op->grid[0] * op->grid[1] * op->grid[2];
        grid_print(g, STEP_WHAT, "kernel %llu x %llu", blocks,
                   (unsigned long long)op->block[0] * op->block[1] * op->block[2]);
        return;
    }
    units_format_size(op->bytes, size, sizeof size);
    grid_print(g, STEP_WHAT, "%s %s", system_op_words(op), size);
}

static void add_times(grid *g, const sys_step_times *s, time_format f, int first)
{
    bound_best(g, first, s->alone_best_ns, f);
    bound_worst(g, first + 1, s->alone_worst_ns, f);
}

void grid_of_gpu_ops(sys_grid *t, const sys_answer *a)
{
    static const grid_column columns[] = {{"", false},          {"what", false},      {"alone", true}, {"to", true},
                                          {"shared, to", true}, {"ends after", true}, {"to", true},    {NULL, false}};
    time_format f = step_format(a, true);
    sys_grid_open(t, columns, "on the GPU", f);
    for (size_t i = 0; i < a->of->task_count; i++) {
        const sys_task *task = &a->of->tasks[i];
        if (!on_gpu(a, i))
            continue;
        grid_add(&t->g, GRID_DIM);
        grid_label_cut(&t->g, STEP, 0, task->name, TASK_COLUMNS);
        for (size_t k = 0; k < task->step_count; k++) {
            const sys_step_times *s = &a->tasks[i].steps[k];
            grid_add(&t->g, s->end_worst_ns == SYS_UNBOUNDED ? GRID_ALARM : GRID_PLAIN);
            grid_label_cut(&t->g, STEP, 2, task->steps[k].name, TASK_COLUMNS);
            op_cell(&t->g, &task->steps[k].op);
            add_times(&t->g, s, f, ALONE);
            bound_worst(&t->g, OWN, s->own_worst_ns, f);
            bound_best(&t->g, END, s->end_best_ns, f);
            bound_worst(&t->g, END_TO, s->end_worst_ns, f);
        }
    }
}

void grid_of_steps(sys_grid *t, const sys_answer *a)
{
    static const char *const kinds[] = {"runs", "triggers", "waits for"};
    static const grid_column columns[] = {{"", false},          {"step", false}, {"alone", true}, {"to", true},
                                          {"ends after", true}, {"to", true},    {NULL, false}};
    time_format f = step_format(a, false);
    size_t *order = system_task_order(a->of, a->places);
    sys_grid_open(t, columns, "on cores", f);
    t->g.failed = !order;
    for (size_t i = 0; order && i < a->of->task_count; i++) {
        const sys_task *task = &a->of->tasks[order[i]];
        if (on_gpu(a, order[i]))
            continue;
        grid_add(&t->g, GRID_DIM);
        grid_label_cut(&t->g, STEP, 0, task->name, TASK_COLUMNS);
        for (size_t k = 0; k < task->step_count; k++) {
            const sys_step_times *s = &a->tasks[order[i]].steps[k];
            bool takes_time = task->steps[k].kind != SYS_TRIGGER;
            grid_add(&t->g, s->end_worst_ns == SYS_UNBOUNDED ? GRID_ALARM : GRID_PLAIN);
            grid_label_cut(&t->g, STEP, 2, task->steps[k].name, TASK_COLUMNS);
            grid_cell(&t->g, STEP_WHAT, kinds[task->steps[k].kind]);
            if (takes_time)
                add_times(&t->g, s, f, ALONE);
            bound_best(&t->g, OWN, s->end_best_ns, f);
            bound_worst(&t->g, END, s->end_worst_ns, f);
        }
    }
    free(order);
}

/* grid_of_chains lists reaction and age by communication. */

enum { CHAIN, COMMUNICATION, REACTION, REACTION_TO, FIRST_TO, AGE, AGE_TO, CHAIN_LIMITS, CHAIN_VERDICT };

#define CHAIN_NAME_COLUMNS 20 /* the most that the name of a chain takes */

static const char *const communications[] = {
#define X(id, name, text) name,
    GCAST_COMMUNICATION_TABLE(X)
#undef X
};

static time_format chain_format(const sys_answer *a)
{
    int64_t longest = 0;
    time_format f = bound_format(0);
    for (int pass = 0; pass < 2; pass++) {
        f = bound_format(longest);
        for (size_t i = 0; i < a->of->chain_count; i++)
            for (int c = 0; c < GCAST_COMMUNICATIONS; c++) {
                const sys_latency *l = &a->chains[i].by[c];
                const int64_t times[] = {l->reaction_best_ns, l->reaction_worst_ns, l->age_best_ns, l->age_worst_ns,
                                         l->first_worst_ns};
                for (int n = 0; n < 5; n++) {
                    bound_include(&f, times[n]);
                    if (times[n] != SYS_UNBOUNDED)
                        longest = max_i64(longest, times[n]);
                }
            }
    }
    return f;
}

/* "reaction met, age missed" */
static void verdict_cell(grid *g, const sys_chain *chain, const sys_chain_answer *r)
{
    const char *reaction = gcast_name(GCAST_NAMES_VERDICT, r->reaction_verdict);
    const char *age = gcast_name(GCAST_NAMES_VERDICT, r->age_verdict);
    if (chain->reaction_ns && chain->age_ns)
        grid_print(g, CHAIN_VERDICT, "reaction %s, age %s", reaction, age);
    else if (chain->reaction_ns)
        grid_print(g, CHAIN_VERDICT, "reaction %s", reaction);
    else if (chain->age_ns)
        grid_print(g, CHAIN_VERDICT, "age %s", age);
}

static void limit_cell(grid *g, const sys_chain *chain, time_format f)
{
    char reaction[48] = "-", age[48] = "-";
    if (chain->reaction_ns)
        time_in_unit(chain->reaction_ns, f.unit, f.decimals, reaction, sizeof reaction);
    if (chain->age_ns)
        time_in_unit(chain->age_ns, f.unit, f.decimals, age, sizeof age);
    if (chain->reaction_ns && chain->age_ns)
        grid_print(g, CHAIN_LIMITS, "%s, %s", reaction, age);
    else if (chain->reaction_ns || chain->age_ns)
        grid_cell(g, CHAIN_LIMITS, chain->reaction_ns ? reaction : age);
}

static bool is_bad(const sys_chain_answer *r)
{
    return r->reaction_verdict == GCAST_DEADLINE_MISSED || r->reaction_verdict == GCAST_DEADLINE_OPEN ||
           r->age_verdict == GCAST_DEADLINE_MISSED || r->age_verdict == GCAST_DEADLINE_OPEN;
}

void grid_of_chains(sys_grid *t, const sys_answer *a, gcast_communication asked)
{
    static const grid_column columns[] = {{"", false},         {"data", false}, {"reaction", true}, {"to", true},
                                          {"first, to", true}, {"age", true},   {"to", true},       {"limit", true},
                                          {"verdict", false},  {NULL, false}};
    time_format f = chain_format(a);
    sys_grid_open(t, columns, "chain", f);
    for (size_t i = 0; i < a->of->chain_count; i++)
        for (int c = 0; c < GCAST_COMMUNICATIONS; c++) {
            const sys_latency *l = &a->chains[i].by[c];
            bool is_asked = c == (int)asked;
            grid_add(&t->g, !is_asked ? GRID_DIM : is_bad(&a->chains[i]) ? GRID_ALARM : GRID_PLAIN);
            if (!c)
                grid_label_cut(&t->g, CHAIN, 0, a->of->chains[i].name, CHAIN_NAME_COLUMNS);
            grid_cell(&t->g, COMMUNICATION, communications[c]);
            bound_best(&t->g, REACTION, l->reaction_best_ns, f);
            bound_worst(&t->g, REACTION_TO, l->reaction_worst_ns, f);
            bound_worst(&t->g, FIRST_TO, l->first_worst_ns, f);
            bound_best(&t->g, AGE, l->age_best_ns, f);
            bound_worst(&t->g, AGE_TO, l->age_worst_ns, f);
            if (is_asked) {
                limit_cell(&t->g, &a->of->chains[i], f);
                verdict_cell(&t->g, &a->of->chains[i], &a->chains[i]);
            }
        }
}

/* grid_of_limits lists limits on responses from below, on runnables, and on delays. */

enum { LIMIT_NAME, LIMIT_OF, LIMIT_BEST, LIMIT_WORST, LIMIT_LEAST, LIMIT_MOST, LIMIT_VERDICT };

#define LIMIT_NAME_COLUMNS 24 /* the most that the name of a limit takes */
#define WHAT_COLUMNS 32

static time_format limit_format(const sys_answer *a)
{
    int64_t longest = 0;
    time_format f = bound_format(0);
    for (int pass = 0; pass < 2; pass++) {
        f = bound_format(longest);
        for (size_t i = 0; i < a->of->limit_count; i++) {
            const sys_limit *l = &a->of->limits[i];
            const int64_t times[] = {a->limits[i].best_ns, a->limits[i].worst_ns, l->min_ns, l->max_ns};
            for (int n = 0; n < 4; n++) {
                bound_include(&f, times[n]);
                if (times[n] != SYS_UNBOUNDED)
                    longest = max_i64(longest, times[n]);
            }
        }
    }
    return f;
}

/* A target that comes before its source has a delay below 0. */
static void delay_cell(grid *g, int column, int64_t ns, bool is_worst, time_format f)
{
    char time[48];
    if (ns >= 0 && is_worst) {
        bound_worst(g, column, ns, f);
    } else if (ns >= 0 || ns == SYS_NO_LEAST) {
        bound_best(g, column, ns, f);
    } else {
        time_in_unit(-ns, f.unit, f.decimals, time, sizeof time);
        grid_print(g, column, "-%s", time);
    }
}

void grid_of_limits(sys_grid *t, const sys_answer *a)
{
    static const grid_column columns[] = {{"", false},     {"of", false},  {"best", true},     {"worst", true},
                                          {"least", true}, {"most", true}, {"verdict", false}, {NULL, false}};
    time_format f = limit_format(a);
    sys_grid_open(t, columns, "limit", f);
    for (size_t i = 0; i < a->of->limit_count; i++) {
        const sys_limit *l = &a->of->limits[i];
        const sys_limit_answer *r = &a->limits[i];
        char words[500];
        bool bad = r->verdict == GCAST_DEADLINE_MISSED || r->verdict == GCAST_DEADLINE_OPEN;
        grid_add(&t->g, bad ? GRID_ALARM : GRID_PLAIN);
        grid_label_cut(&t->g, LIMIT_NAME, 0, l->name, LIMIT_NAME_COLUMNS);
        system_limited_words(l, words, sizeof words);
        grid_label_cut(&t->g, LIMIT_OF, 0, words, WHAT_COLUMNS);
        delay_cell(&t->g, LIMIT_BEST, r->best_ns, false, f);
        delay_cell(&t->g, LIMIT_WORST, r->worst_ns, true, f);
        time_format_cell(&t->g, LIMIT_LEAST, l->min_ns, l->min_ns != SYS_NO_LIMIT, f);
        time_format_cell(&t->g, LIMIT_MOST, l->max_ns, l->max_ns != SYS_NO_LIMIT, f);
        grid_cell(&t->g, LIMIT_VERDICT, gcast_name(GCAST_NAMES_VERDICT, r->verdict));
    }
}
