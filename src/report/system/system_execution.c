#include "report/system/system_execution.h"

#include <stdlib.h>

#include "base/integers.h"
#include "base/units.h"
#include "model/run_op.h"
#include "report/system/system_words.h"

enum { TASK, PRIORITY, PERIOD, JOBS, BEST, WORST, DEADLINE, MISSED, OPEN };

/* What was seen of a task. */
typedef struct task_seen {
    size_t jobs, missed, unfinished;
    int64_t best_ns, worst_ns; /* of jobs that ended, from the release of their root; -1: none has */
} task_seen;

/* By task, for the caller to free; NULL without memory. */
static task_seen *run_seen(const sys_run *run)
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
    grid_label_cut(g, TASK, 2, task->name, TASK_COLUMNS);
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
            grid_label_cut(&t->g, TASK, 0, system_place_name(run->of, core), TASK_COLUMNS);
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

static void put_number(text *out, const char *key, int64_t value)
{
    text_printf(out, ", \"%s\": ", key);
    text_int(out, value);
}

/* A time that may not be known. */
static void put_time(text *out, const char *key, int64_t ns)
{
    if (ns >= 0)
        put_number(out, key, ns);
    else
        text_printf(out, ", \"%s\": null", key);
}

static void put_core(const sys_system *s, int core, text *out)
{
    text_str(out, ", \"core\": ");
    if (core == SYS_GPU)
        text_str(out, "null");
    else
        text_json(out, s->cores[core].name);
}

static void put_tasks(const sys_run *run, const task_seen *seen, text *out)
{
    for (size_t i = 0; i < run->of->task_count; i++) {
        const sys_task *task = &run->of->tasks[i];
        text_str(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        text_json(out, task->name);
        put_core(run->of, run->places[i].core, out);
        put_time(out, "period_ns", system_runs_once(run->of, (int)i) ? -1 : task->period_ns);
        put_number(out, "jobs", (int64_t)seen[i].jobs);
        put_number(out, "unfinished", (int64_t)seen[i].unfinished);
        put_time(out, "best_ns", seen[i].best_ns);
        put_time(out, "worst_ns", seen[i].worst_ns);
        if (task->deadline_ns) {
            put_number(out, "deadline_ns", task->deadline_ns);
            put_number(out, "missed", (int64_t)seen[i].missed);
        }
        text_char(out, '}');
    }
}

static void put_jobs(const sys_run *run, text *out)
{
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        text_str(out, i ? ",\n  {\"task\": " : "\n  {\"task\": ");
        text_int(out, job->task);
        put_number(out, "number", job->number);
        put_number(out, "root_release_ns", job->root_release_ns);
        put_number(out, "release_ns", job->release_ns);
        put_time(out, "start_ns", job->start_ns);
        put_time(out, "end_ns", job->end_ns);
        if (job_missed(run, job))
            text_str(out, ", \"missed\": true");
        text_char(out, '}');
    }
}

static void put_slices(const sys_run *run, text *out)
{
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *s = &run->slices[i];
        text_str(out, i ? ",\n  {\"job\": " : "\n  {\"job\": ");
        text_uint(out, s->job);
        put_core(run->of, s->core, out);
        put_number(out, "step", s->step);
        text_str(out, s->waits ? ", \"waits\": true" : "");
        put_number(out, "start_ns", s->start_ns);
        put_number(out, "end_ns", s->end_ns);
        text_char(out, '}');
    }
}

static void put_ops(const sys_run *run, text *out)
{
    for (size_t i = 0; run->gpu && i < run->gpu->op_count; i++) {
        const gcast_run_op *o = &run->gpu->ops[i];
        text_str(out, i ? ",\n  {\"label\": " : "\n  {\"label\": ");
        text_json(out, run_op(run->gpu, i)->label);
        text_str(out, ", \"op\": ");
        text_json(out, system_op_words(run_op(run->gpu, i)));
        put_number(out, "job", run->op_job[i]);
        put_time(out, "release_ns", o->release_ns);
        put_time(out, "start_ns", o->start_ns);
        put_time(out, "end_ns", o->end_ns);
        text_char(out, '}');
    }
}

bool system_run_json(const sys_run *run, text *out)
{
    task_seen *seen = run_seen(run);
    if (!seen)
        return false;
    text_str(out, "{\"schema\": \"gridcast.system-run/1\", \"system\": ");
    text_json(out, run->of->name);
    text_str(out, ", \"gpu\": ");
    if (run->of->gpu)
        text_json(out, run->of->gpu->name);
    else
        text_str(out, "null");
    put_number(out, "horizon_ns", run->horizon_ns);
    put_number(out, "end_ns", run->end_ns);
    text_str(out, ",\n \"tasks\": [");
    put_tasks(run, seen, out);
    text_str(out, "],\n \"jobs\": [");
    put_jobs(run, out);
    text_str(out, "],\n \"slices\": [");
    put_slices(run, out);
    text_str(out, "],\n \"ops\": [");
    put_ops(run, out);
    text_str(out, "]}\n");
    free(seen);
    return true;
}
