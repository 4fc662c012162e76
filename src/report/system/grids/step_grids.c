/* Tables of steps: copies and kernels on the GPU, runnables on cores. */
#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "report/system/grids/system_grids.h"
#include "report/system/system_words.h"

enum { STEP, WHAT, ALONE, ALONE_TO, OWN, END, END_TO };

static bool on_gpu(const sys_answer *a, size_t task)
{
    return a->places[task].core == SYS_GPU;
}

/* A format for the steps of tasks on the GPU, or of those that are not. */
static time_format format_of(const sys_answer *a, bool gpu)
{
    int64_t longest = 0;
    for (int pass = 0; pass < 2; pass++) {
        time_format f = bound_format(longest);
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
        if (pass)
            return f;
    }
    return bound_format(longest);
}

/* "d2h 24 KB", "kernel 16 x 256". */
static void op_cell(grid *g, const gcast_op *op)
{
    char size[40];
    if (op->kind == GCAST_KIND_KERNEL) {
        unsigned long long blocks = (unsigned long long)op->grid[0] * op->grid[1] * op->grid[2];
        grid_print(g, WHAT, "kernel %llu x %llu", blocks,
                   (unsigned long long)op->block[0] * op->block[1] * op->block[2]);
        return;
    }
    units_format_size(op->bytes, size, sizeof size);
    grid_print(g, WHAT, "%s %s", system_op_words(op), size);
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
    time_format f = format_of(a, true);
    sys_grid_open(t, columns, "on the GPU", f);
    for (size_t i = 0; i < a->of->task_count; i++) {
        const sys_task *task = &a->of->tasks[i];
        if (!on_gpu(a, i))
            continue;
        grid_add(&t->g, GRID_DIM);
        system_label(&t->g, STEP, 0, task->name, TASK_COLUMNS);
        for (size_t k = 0; k < task->step_count; k++) {
            const sys_step_times *s = &a->tasks[i].steps[k];
            grid_add(&t->g, s->end_worst_ns == SYS_UNBOUNDED ? GRID_ALARM : GRID_PLAIN);
            system_label(&t->g, STEP, 2, task->steps[k].name, TASK_COLUMNS);
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
    time_format f = format_of(a, false);
    size_t *order = system_task_order(a->of, a->places);
    sys_grid_open(t, columns, "on cores", f);
    t->g.failed = !order;
    for (size_t i = 0; order && i < a->of->task_count; i++) {
        const sys_task *task = &a->of->tasks[order[i]];
        if (on_gpu(a, order[i]))
            continue;
        grid_add(&t->g, GRID_DIM);
        system_label(&t->g, STEP, 0, task->name, TASK_COLUMNS);
        for (size_t k = 0; k < task->step_count; k++) {
            const sys_step_times *s = &a->tasks[order[i]].steps[k];
            bool takes_time = task->steps[k].kind != SYS_TRIGGER;
            grid_add(&t->g, s->end_worst_ns == SYS_UNBOUNDED ? GRID_ALARM : GRID_PLAIN);
            system_label(&t->g, STEP, 2, task->steps[k].name, TASK_COLUMNS);
            grid_cell(&t->g, WHAT, kinds[task->steps[k].kind]);
            if (takes_time)
                add_times(&t->g, s, f, ALONE);
            bound_best(&t->g, OWN, s->end_best_ns, f);
            bound_worst(&t->g, END, s->end_worst_ns, f);
        }
    }
    free(order);
}
