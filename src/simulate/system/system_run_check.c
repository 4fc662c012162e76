/* system_run_check. It knows the rules, but not what executes systems, and has its own code for them on purpose. */
#include <stdlib.h>

#include "simulate/system/check/core_rules.h"
#include "simulate/system/check/job_rules.h"
#include "simulate/system/check/turn_rules.h"
#include "simulate/system/system_simulate.h"

/* The operations of a job are called when it is released; it starts with the first and ends with the last. */
static gcast_status check_operations(const sys_run *run, gcast_error *err)
{
    const gcast_run *gpu = run->gpu;
    size_t jobs = 0, at = 0;
    for (size_t j = 0; j < run->job_count; j++)
        jobs += run->places[run->jobs[j].task].core == SYS_GPU;
    while (at < gpu->op_count) {
        const gcast_run_op *first = &gpu->ops[at];
        size_t count = gpu->workload->tasks[gpu->workload->ops[first->op].task].op_count;
        const sys_job *job = run->op_job[at] < run->job_count ? &run->jobs[run->op_job[at]] : NULL;
        if (!job != first->skipped || at + count > gpu->op_count)
            return gcast_error_set(err, GCAST_INTERNAL, NULL, "operation %zu of the GPU has no job", at);
        for (size_t i = 0; i < count && job; i++)
            if (run->op_job[at + i] != run->op_job[at] || first[i].call_ns != job->release_ns)
                return job_broken(run, job, "an operation is not called when it is released", err);
        if (job &&
            (run->places[job->task].core != SYS_GPU || count != run->of->tasks[job->task].step_count ||
             job->number != first->job || job->start_ns != first->start_ns || job->end_ns != first[count - 1].end_ns))
            return job_broken(run, job, "its times are not those of its operations", err);
        jobs -= job != NULL;
        at += count;
    }
    return jobs ? gcast_error_set(err, GCAST_INTERNAL, NULL, "a job on the GPU has no operations") : GCAST_OK;
}

static gcast_status check_slices(const sys_run *run, const uint32_t *first_job, gcast_error *err)
{
    job_slices slices = {0};
    wait_spans spans = {0};
    gcast_status status = job_slices_init(&slices, run, err);
    if (status == GCAST_OK)
        status = job_walk_check(run, first_job, &slices, &spans, err);
    if (status == GCAST_OK)
        status = core_rules_check(run, &spans, err);
    if (status == GCAST_OK && run->of->sharing == SYS_SLICES)
        status = turn_rules_check(run, &slices, err);
    job_slices_free(&slices);
    vec_free(&spans.spans);
    return status;
}

gcast_status system_run_check(const sys_run *run, gcast_error *err)
{
    uint32_t *first_job = calloc(run->of->task_count + 2, sizeof *first_job);
    if (!first_job)
        return gcast_error_set_memory(err);
    gcast_status status = job_rules_check(run, first_job, err);
    if (status == GCAST_OK && run->is_recorded)
        status = check_slices(run, first_job, err);
    if (status == GCAST_OK && run->gpu)
        status = gcast_run_check(run->gpu, err);
    if (status == GCAST_OK && run->gpu)
        status = check_operations(run, err);
    free(first_job);
    return status;
}
