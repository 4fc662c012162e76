#include "report/system/execution/run_json.h"

#include <stdlib.h>

#include "model/run_op.h"
#include "report/system/execution/run_grid.h"
#include "report/system/job_due.h"
#include "report/system/system_words.h"

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
