/* system_simulate: sets up the tables, runs cores and GPU to the end of the last job, and returns a run that has passed
 * the checker. */
#include "simulate/system/system_simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "simulate/system/core_steps.h"
#include "simulate/system/gpu_calls.h"
#include "simulate/system/gpu_slices.h"
#include "simulate/system/system_state.h"

static gcast_status check_options(const sys_simulate_options *options, gcast_error *err)
{
    if ((unsigned)options->durations >= GCAST_DURATIONS_COUNT)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no choice of durations number %d",
                               (int)options->durations);
    return options->horizon_ns < 0 ? gcast_error_set(err, GCAST_USAGE, NULL, "the horizon must not be negative")
                                   : GCAST_OK;
}

/* Runs cores without a GPU, or with one that is shared by slices of time. */
static gcast_status run_events(system_sim *x)
{
    for (const heap_item *top; x->status == GCAST_OK && (top = heap_top(&x->events));) {
        x->now = top->time;
        if (x->turns)
            gpu_slices_end(x);
        cores_now(x);
        if (x->turns)
            gpu_slices_start(x);
    }
    return x->status;
}

static bool uses_gpu(const sys_system *s, const sys_place *places)
{
    for (size_t i = 0; i < s->task_count; i++)
        if (places[i].core == SYS_GPU)
            return true;
    return false;
}

static gcast_status run_system(system_sim *x, sys_run *run)
{
    gpu_calls calls = {.memory = &run->memory};
    gpu_slices turns = {0};
    if (!uses_gpu(x->s, x->places))
        return run_events(x);
    if (x->s->sharing == SYS_SLICES) {
        gcast_status status = gpu_slices_init(x, &turns) ? run_events(x) : gcast_error_set_memory(x->err);
        gpu_slices_free(&turns);
        return status;
    }
    gcast_status status = gpu_calls_simulate(x, &calls, &run->gpu);
    run->workload = calls.workload;
    run->op_job = calls.op_job;
    return status;
}

static int by_start(const void *a, const void *b)
{
    const sys_slice *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->core != y->core)
        return x->core < y->core ? -1 : 1;
    return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* Leaves out the jobs that were never released: the jobs of each task move to the front. */
static void close_gaps(system_sim *x, sys_run *run, uint32_t *op_job)
{
    size_t n = 0;
    for (size_t i = 0; i < x->s->task_count; i++)
        n += x->tasks[i].released;
    size_t ops = run->gpu ? run->gpu->op_count : 0;
    for (size_t i = 0; i < ops; i++)
        if (run->gpu->ops[i].skipped)
            op_job[i] = SYS_NO_JOB;
    if (n == x->job_count)
        return;
    uint32_t place = 0;
    for (size_t i = 0; i < x->s->task_count; i++) {
        task_state *t = &x->tasks[i];
        memmove(&x->jobs[place], &x->jobs[t->first_job], t->released * sizeof *x->jobs);
        t->moved = t->first_job - place;
        place += t->released;
    }
    x->job_count = n;
}

/* The new index of a job; `job`: the old one. */
static uint32_t moved_job(const system_sim *x, uint32_t job)
{
    size_t lo = 0, hi = x->s->task_count; /* the last task whose jobs begin at `job` or before */
    while (hi - lo > 1) {
        size_t middle = (lo + hi) / 2;
        if (x->tasks[middle].first_job <= job)
            lo = middle;
        else
            hi = middle;
    }
    return job - x->tasks[lo].moved;
}

static gcast_status finish(system_sim *x, sys_run *run)
{
    cores_stop(x);
    size_t before = x->job_count;
    uint32_t *op_job = (uint32_t *)(uintptr_t)run->op_job; /* made here, so that it may be changed */
    close_gaps(x, run, op_job);
    if (x->job_count < before) {
        for (size_t i = 0; i < x->slices.count; i++)
            x->slices.at[i].job = moved_job(x, x->slices.at[i].job);
        for (size_t i = 0; run->gpu && i < run->gpu->op_count; i++)
            op_job[i] = op_job[i] == SYS_NO_JOB ? SYS_NO_JOB : moved_job(x, op_job[i]);
    }
    run->jobs = x->jobs;
    run->job_count = x->job_count;
    run->horizon_ns = run->end_ns = x->horizon_ns;
    for (size_t i = 0; i < x->job_count; i++)
        run->end_ns = max_i64(run->end_ns, x->jobs[i].end_ns);
    if (x->slices.count) {
        qsort(x->slices.at, x->slices.count, sizeof *x->slices.at, by_start);
        run->slices = arena_copy(&run->memory, x->slices.at, x->slices.count * sizeof *x->slices.at);
        run->slice_count = x->slices.count;
    }
    return x->slices.count && !run->slices ? gcast_error_set_memory(x->err) : GCAST_OK;
}

gcast_status system_simulate(const sys_system *s, const sys_place *places, const sys_simulate_options *options,
                             sys_run **out, gcast_error *err)
{
    gcast_status status = check_options(options, err);
    if (!places)
        places = s->places;
    if (status == GCAST_OK)
        status = system_check_places(s, places, err);
    if (status != GCAST_OK)
        return status;
    sys_run *run = system_run_create(s, places);
    if (!run)
        return gcast_error_set_memory(err);
    run->is_recorded = options->record;
    system_sim x = {.s = s, .places = places, .options = options, .err = err};
    status = system_setup(&x, &run->memory);
    if (status == GCAST_OK)
        status = run_system(&x, run);
    if (status == GCAST_OK)
        status = finish(&x, run);
    system_setup_free(&x);
    if (status == GCAST_OK)
        status = system_run_check(run, err);
    if (status != GCAST_OK) {
        system_run_free(run);
        return status;
    }
    *out = run;
    return GCAST_OK;
}
