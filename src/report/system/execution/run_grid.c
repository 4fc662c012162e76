#include "report/system/execution/run_grid.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "report/system/job_due.h"
#include "report/system/system_words.h"

enum { TASK, PRIORITY, PERIOD, JOBS, BEST, WORST, DEADLINE, MISSED, OPEN };

task_seen *run_seen(const sys_run *run)
{
    task_seen *seen = calloc(run->of->task_count + 1, sizeof *seen);
    for (size_t i = 0; seen && i < run->of->task_count; i++)
        seen[i].best_ns = seen[i].worst_ns = -1;
    for (size_t i = 0; seen && i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        task_seen *t = &seen[job->task];
        t->jobs++;
        t->missed += job_missed(run, job);
        t->unfinished += job->end_ns < 0;
        if (job->end_ns < 0)
            continue;
        int64_t response = job->end_ns - job->root_release_ns;
        t->best_ns = t->best_ns < 0 ? response : min_i64(t->best_ns, response);
        t->worst_ns = max_i64(t->worst_ns, response);
    }
    for (size_t i = 0; seen && i < run->slice_count; i++)
        seen[run->jobs[run->slices[i].job].task].busy_ns += run->slices[i].end_ns - run->slices[i].start_ns;
    return seen;
}

static time_format format_of(const sys_run *run, const task_seen *seen)
{
    int64_t longest = 0;
    for (size_t i = 0; i < run->of->task_count; i++)
        longest = max_i64(longest, max_i64(system_shown_period(run->of, i), run->of->tasks[i].deadline_ns));
    time_format f = bound_format(longest);
    for (size_t i = 0; i < run->of->task_count; i++) {
        time_format_include(&f, system_shown_period(run->of, i));
        time_format_include(&f, run->of->tasks[i].deadline_ns);
        time_format_include(&f, seen[i].best_ns);
        time_format_include(&f, seen[i].worst_ns);
    }
    return f;
}

static void add_task(grid *g, const sys_run *run, size_t i, const task_seen *seen, time_format f)
{
    const sys_task *task = &run->of->tasks[i];
    grid_add(g, seen->missed ? GRID_ALARM : GRID_PLAIN);
    system_label(g, TASK, 2, task->name, TASK_COLUMNS);
    if (task->isr)
        grid_cell(g, PRIORITY, "ISR");
    else
        grid_print(g, PRIORITY, "%lld", (long long)run->places[i].priority);
    system_period_cell(g, PERIOD, run->of, i, f);
    grid_print(g, JOBS, "%zu", seen->jobs);
    time_format_cell(g, BEST, seen->best_ns, seen->best_ns >= 0, f);
    time_format_cell(g, WORST, seen->worst_ns, seen->worst_ns >= 0, f);
    time_format_cell(g, DEADLINE, task->deadline_ns, task->deadline_ns > 0, f);
    if (task->deadline_ns)
        grid_print(g, MISSED, "%zu", seen->missed);
    if (seen->unfinished)
        grid_print(g, OPEN, "%zu", seen->unfinished);
}

void grid_of_run(sys_grid *t, const sys_run *run)
{
    static const grid_column columns[] = {{"", false},        {"prio", true},  {"period", true},   {"jobs", true},
                                          {"best", true},     {"worst", true}, {"deadline", true}, {"missed", true},
                                          {"not done", true}, {NULL, false}};
    task_seen *seen = run_seen(run);
    size_t *order = system_task_order(run->of, run->places);
    time_format f = seen ? format_of(run, seen) : bound_format(0);
    sys_grid_open(t, columns, "task", f);
    t->g.failed = !seen || !order;
    int last = SYS_GPU - 1;
    for (size_t i = 0; seen && order && i < run->of->task_count; i++) {
        int core = run->places[order[i]].core;
        if (core != last) {
            grid_add(&t->g, GRID_DIM);
            system_label(&t->g, TASK, 0, system_place_name(run->of, core), TASK_COLUMNS);
        }
        last = core;
        add_task(&t->g, run, order[i], &seen[order[i]], f);
    }
    free(order);
    free(seen);
}

void run_seen_summary(const sys_run *run, text *out)
{
    size_t missed = 0, with_deadline = 0;
    char horizon[40], end[40];
    for (size_t i = 0; i < run->job_count; i++) {
        missed += job_missed(run, &run->jobs[i]);
        with_deadline += job_due_ns(run, &run->jobs[i]) >= 0;
    }
    units_format_time(run->horizon_ns, horizon, sizeof horizon);
    units_format_time(run->end_ns, end, sizeof end);
    text_printf(out, "%zu of %zu jobs with a deadline missed it; releases before %s, all ends by %s", missed,
                with_deadline, horizon, end);
}

void system_run_text(const sys_run *run, bool color, text *out)
{
    sys_grid t;
    grid_of_run(&t, run);
    grid_text(&t.g, color, out);
    grid_close(&t.g);
    text_char(out, '\n');
    run_seen_summary(run, out);
    text_str(out,
             "\nbest and worst are response times that were seen, from the release of a task, or of the task whose "
             "release starts it\n");
}
