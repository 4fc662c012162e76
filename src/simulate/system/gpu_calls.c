/* The workload of the tasks on the GPU, and the functions that the engine calls. */
#include "simulate/system/gpu_calls.h"

#include <stdlib.h>

#include "model/system.h"
#include "simulate/system/core_steps.h"

static gcast_status add_task(const system_sim *x, gcast_workload *w, int task)
{
    const sys_task *of = &x->s->tasks[task];
    gcast_task when = {.period_ns = of->period_ns, .offset_ns = x->tasks[of->root].offset_ns};
    return system_add_gpu_task(x->s, &x->places[task], of, &when, (int)x->tasks[task].gpu_task, w, x->err);
}

static gcast_status make_workload(const system_sim *x, gpu_calls *calls)
{
    size_t n = 0;
    calls->task_of = malloc((x->s->task_count + 1) * sizeof *calls->task_of);
    calls->first_op = malloc((x->job_count + 1) * sizeof *calls->first_op);
    gcast_status status = gcast_workload_create(x->s->name, &calls->workload, x->err);
    if (!calls->task_of || !calls->first_op)
        return gcast_error_set_memory(x->err);
    for (size_t i = 0; i < x->s->task_count && status == GCAST_OK; i++)
        if (x->places[i].core == SYS_GPU) {
            x->tasks[i].gpu_task = (uint32_t)n;
            calls->task_of[n++] = (int)i;
            status = add_task(x, calls->workload, (int)i);
        }
    return status;
}

static bool start(void *context, struct sim *engine, const gcast_run_op *ops, size_t count)
{
    system_sim *x = context;
    gpu_calls *calls = x->calls;
    const gcast_workload *w = calls->workload;
    calls->engine = engine;
    calls->op_job = arena_alloc_array(calls->memory, count + 1, sizeof *calls->op_job);
    if (!calls->op_job)
        return false;
    for (size_t i = 0; i < count; i++) {
        int own = w->ops[ops[i].op].task;
        uint32_t job = x->tasks[calls->task_of[own]].first_job + ops[i].job;
        calls->op_job[i] = job;
        if (ops[i].op == w->tasks[own].first_op)
            calls->first_op[job] = (uint32_t)i;
    }
    return true;
}

/* The operations of a job are in one stream, so that the job ends with the last operation. */
static void completed(void *context, const gcast_run_op *op, uint32_t index, int64_t now)
{
    (void)index;
    system_sim *x = context;
    const gcast_workload *w = x->calls->workload;
    int own = w->ops[op->op].task;
    const gcast_task *t = &w->tasks[own];
    x->now = now;
    if (op->op + 1 == t->first_op + t->op_count)
        cores_gpu_job_ends(x, x->calls->task_of[own], (op - (t->op_count - 1))->start_ns);
}

static gcast_status step(void *context, int64_t now, int64_t *next)
{
    system_sim *x = context;
    x->now = now;
    cores_now(x);
    const heap_item *top = heap_top(&x->events);
    *next = top ? top->time : INT64_MAX;
    return x->status;
}

void gpu_calls_release(system_sim *x, int task, uint32_t number)
{
    uint32_t first = x->calls->first_op[x->tasks[task].first_job + number];
    for (size_t i = 0; i < x->s->tasks[task].step_count; i++)
        outside_call(x->calls->engine, first + (uint32_t)i);
}

gcast_status gpu_calls_simulate(system_sim *x, gpu_calls *calls, gcast_run **run)
{
    const sys_simulate_options *given = x->options;
    gcast_simulate_options options = gcast_simulate_options_default();
    outside from = {.context = x, .start = start, .completed = completed, .step = step};
    options.record_blocks = given->record;
    options.durations = given->durations;
    options.seed = given->seed;
    options.horizon_ns = x->horizon_ns;
    x->calls = calls;
    gcast_status status = make_workload(x, calls);
    if (status == GCAST_OK)
        status = simulate_from_outside(calls->workload, x->s->gpu, &options, &from, run, x->err);
    free(calls->task_of);
    free(calls->first_op);
    return status;
}
