#include "report/system/system_execution.h"

#include <stdlib.h>

#include "base/integers.h"
#include "base/units.h"
#include "model/run_op.h"
#include "report/schemas.h"
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

/* A time that may not be known. */
static int64_t known(int64_t ns)
{
    return ns >= 0 ? ns : JSON_UNKNOWN;
}

static const char *core_name(const sys_system *s, int core)
{
    return core == SYS_GPU ? NULL : s->cores[core].name;
}

#define TASK_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, name, true, task->name, "its name")                                                                    \
    FIELD(text, core, true, core_name(run->of, run->places[i].core), "its core; null: the GPU")                        \
    FIELD(ns, period_ns, true, system_runs_once(run->of, (int)i) ? JSON_UNKNOWN : known(task->period_ns), "period")    \
    FIELD(count, jobs, true, seen[i].jobs, "jobs that were released")                                                  \
    FIELD(count, unfinished, true, seen[i].unfinished, "of these, jobs that have not ended")                           \
    FIELD(ns, best_ns, true, known(seen[i].best_ns), "shortest response time that was seen")                           \
    FIELD(ns, worst_ns, true, known(seen[i].worst_ns), "longest one")                                                  \
    FIELD(ns, deadline_ns, task->deadline_ns, task->deadline_ns, "deadline")                                           \
    FIELD(count, missed, task->deadline_ns, seen[i].missed, "jobs that missed it")

static void put_tasks(json_out *j, const sys_run *run, const task_seen *seen)
{
    for (size_t i = 0; i < run->of->task_count; i++) {
        const sys_task *task = &run->of->tasks[i];
        PUT_ELEMENT(TASK_FIELDS);
    }
}

#define JOB_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(int, task, true, job->task, "index in tasks")                                                                \
    FIELD(int, number, true, job->number, "job of the task, from 0")                                                   \
    FIELD(ns, root_release_ns, true, job->root_release_ns, "release of the root")                                      \
    FIELD(ns, release_ns, true, job->release_ns, "release")                                                            \
    FIELD(ns, start_ns, true, known(job->start_ns), "start")                                                           \
    FIELD(ns, end_ns, true, known(job->end_ns), "end")                                                                 \
    FIELD(bool, missed, job_missed(run, job), true, "it missed its deadline")

static void put_jobs(json_out *j, const sys_run *run)
{
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        PUT_ELEMENT(JOB_FIELDS);
    }
}

#define SLICE_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, job, true, s->job, "index in jobs")                                                                   \
    FIELD(text, core, true, core_name(run->of, s->core), "core; null: the GPU, in turns")                              \
    FIELD(int, step, true, s->step, "step of the task")                                                                \
    FIELD(bool, waits, s->waits, true, "it waits and holds the core")                                                  \
    FIELD(ns, start_ns, true, s->start_ns, "start")                                                                    \
    FIELD(ns, end_ns, true, s->end_ns, "end")

static void put_slices(json_out *j, const sys_run *run)
{
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *s = &run->slices[i];
        PUT_ELEMENT(SLICE_FIELDS);
    }
}

#define OP_FIELDS(FIELD, LINE)                                                                                         \
    FIELD(text, label, true, run_op(run->gpu, i)->label, "name of the operation")                                      \
    FIELD(text, op, true, system_op_words(run_op(run->gpu, i)), "what it is")                                          \
    FIELD(int, job, true, run->op_job[i], "index in jobs")                                                             \
    FIELD(ns, release_ns, true, known(o->release_ns), "release")                                                       \
    FIELD(ns, start_ns, true, known(o->start_ns), "start")                                                             \
    FIELD(ns, end_ns, true, known(o->end_ns), "end")

static void put_ops(json_out *j, const sys_run *run)
{
    for (size_t i = 0; run->gpu && i < run->gpu->op_count; i++) {
        const gcast_run_op *o = &run->gpu->ops[i];
        PUT_ELEMENT(OP_FIELDS);
    }
}

#define RUN_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(text, schema, true, "gridcast.system-run/1", "the format")                                                   \
    FIELD(text, system, true, run->of->name, "name of the model")                                                      \
    FIELD(text, gpu, true, run->of->gpu ? run->of->gpu->name : NULL, "the GPU")                                        \
    FIELD(ns, horizon_ns, true, run->horizon_ns, "jobs released before it are simulated")                              \
    FIELD(ns, end_ns, true, run->end_ns, "last end")                                                                   \
    LINE(list, tasks, true, put_tasks(j, run, seen), "tasks")                                                          \
    LINE(list, jobs, true, put_jobs(j, run), "jobs")                                                                   \
    LINE(list, slices, true, put_slices(j, run), "a job on a core without a pause")                                    \
    LINE(list, ops, true, put_ops(j, run), "operations of a GPU that is one context")

const record system_run_schema[] = {RECORD("", RUN_FIELDS),     RECORD("tasks", TASK_FIELDS),
                                    RECORD("jobs", JOB_FIELDS), RECORD("slices", SLICE_FIELDS),
                                    RECORD("ops", OP_FIELDS),   {NULL, NULL}};

bool system_run_json(const sys_run *run, text *out)
{
    task_seen *seen = run_seen(run);
    json_out *j = &(json_out){.out = out, .indent = 1};
    if (!seen)
        return false;
    PUT_DOCUMENT(RUN_FIELDS);
    free(seen);
    return true;
}
