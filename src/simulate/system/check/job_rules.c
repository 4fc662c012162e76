#include "simulate/system/check/job_rules.h"

#include "base/minmax.h"

gcast_status job_broken(const sys_run *run, const sys_job *job, const char *what, gcast_error *err)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL, "job %u of task %s: %s", job->number,
                           run->of->tasks[job->task].name, what);
}

static gcast_status task_broken(const sys_task *t, const char *what, gcast_error *err)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL, "task %s: %s", t->name, what);
}

/* Jobs are by task, then number. */
static gcast_status check_numbers(const sys_run *run, uint32_t *first_job, gcast_error *err)
{
    size_t at = 0;
    for (size_t t = 0; t < run->of->task_count; t++) {
        first_job[t] = (uint32_t)at;
        for (; at < run->job_count && run->jobs[at].task == (int)t; at++)
            if (run->jobs[at].number != at - first_job[t])
                return job_broken(run, &run->jobs[at], "it does not follow the job before it in number", err);
    }
    first_job[run->of->task_count] = (uint32_t)at;
    if (at < run->job_count)
        return gcast_error_set(err, GCAST_INTERNAL, NULL, "the jobs are not in the order of their tasks");
    return GCAST_OK;
}

/* Jobs of a root are released when they are due. */
static gcast_status check_root(const sys_run *run, size_t task, const sys_job *jobs, uint32_t count, gcast_error *err)
{
    const sys_task *t = &run->of->tasks[task];
    if (!count)
        return run->horizon_ns > t->offset_ns && run->horizon_ns >= t->period_ns
                   ? task_broken(t, "its first job is missing", err)
                   : GCAST_OK;
    if (jobs[0].root_release_ns != t->offset_ns &&
        (jobs[0].root_release_ns < 0 || jobs[0].root_release_ns >= t->period_ns))
        return job_broken(run, &jobs[0], "it is not released at the offset of its task", err);
    for (uint32_t k = 0; k < count; k++) {
        const sys_job *job = &jobs[k];
        int64_t distance = k ? job->root_release_ns - jobs[k - 1].root_release_ns : t->period_ns;
        if (distance < t->period_ns || (t->arrival == SYS_PERIODIC && distance != t->period_ns))
            return job_broken(run, job, "its distance from the job before it is not that of its task", err);
        if (job->root_release_ns >= run->horizon_ns)
            return job_broken(run, job, "it is released after the horizon", err);
        if (job->release_ns < job->root_release_ns || job->release_ns - job->root_release_ns > t->jitter_ns)
            return job_broken(run, job, "it is not released when it is due", err);
    }
    if (t->arrival == SYS_PERIODIC && run->horizon_ns - jobs[count - 1].root_release_ns > t->period_ns)
        return task_broken(t, "a job before the horizon is missing", err);
    return GCAST_OK;
}

/* Each job of a triggered task is released by the job of the same number that triggers it, while that one runs. */
static gcast_status check_triggered(const sys_run *run, size_t task, const uint32_t *first_job, gcast_error *err)
{
    const sys_task *t = &run->of->tasks[task];
    const sys_job *jobs = &run->jobs[first_job[task]], *by = &run->jobs[first_job[t->trigger]];
    uint32_t count = first_job[task + 1] - first_job[task],
             by_count = first_job[t->trigger + 1] - first_job[t->trigger];
    for (uint32_t k = 0; k < count; k++) {
        if (k >= by_count || jobs[k].root_release_ns != by[k].root_release_ns)
            return job_broken(run, &jobs[k], "nothing triggers it", err);
        if (jobs[k].release_ns < by[k].release_ns || (by[k].end_ns >= 0 && jobs[k].release_ns > by[k].end_ns))
            return job_broken(run, &jobs[k], "it is released while the job that triggers it does not run", err);
    }
    for (uint32_t k = count; k < by_count; k++)
        if (by[k].end_ns >= 0)
            return job_broken(run, &by[k], "it has ended and has not triggered all that it triggers", err);
    return GCAST_OK;
}

/* The least time that the steps of a task take on its place. */
static int64_t least_ns(const sys_run *run, size_t task)
{
    const sys_task *t = &run->of->tasks[task];
    int64_t sum = 0;
    for (size_t i = 0; i < t->step_count; i++)
        if (t->steps[i].kind == SYS_RUN && run->places[task].core != SYS_GPU)
            sum += system_step_time(run->of, &t->steps[i], run->places[task].core).min_ns;
    return sum;
}

/* Jobs of a task run one after the other, each after its release, and as long as their steps take. */
static gcast_status check_order(const sys_run *run, size_t task, const sys_job *jobs, uint32_t count, gcast_error *err)
{
    int64_t least = least_ns(run, task), before = 0;
    bool on_gpu = run->places[task].core == SYS_GPU;
    for (uint32_t k = 0; k < count; k++) {
        const sys_job *job = &jobs[k];
        if (k && job->release_ns < jobs[k - 1].release_ns)
            return job_broken(run, job, "it is released before the job before it", err);
        if (before == INT64_MAX && job->end_ns >= 0)
            return job_broken(run, job, "it has ended before the job before it", err);
        int64_t from = max_i64(before, job->release_ns);
        if ((job->start_ns >= 0 && job->start_ns < from) || (job->end_ns >= 0 && job->end_ns < job->start_ns))
            return job_broken(run, job, "its times are out of order", err);
        if (job->end_ns >= 0 && job->end_ns - from < least)
            return job_broken(run, job, "it takes less time than its steps", err);
        if (on_gpu && job->end_ns >= 0 && job->start_ns < 0)
            return job_broken(run, job, "it has ended and has not started", err);
        before = job->end_ns < 0 ? INT64_MAX : job->end_ns;
    }
    return GCAST_OK;
}

/* A job ends after all that it waits for. */
static gcast_status check_waits(const sys_run *run, size_t task, const uint32_t *first_job, gcast_error *err)
{
    const sys_task *t = &run->of->tasks[task];
    for (size_t i = 0; i < t->step_count; i++) {
        if (t->steps[i].kind != SYS_WAIT)
            continue;
        int other = t->steps[i].task;
        uint32_t others = first_job[other + 1] - first_job[other];
        for (uint32_t k = 0; k < first_job[task + 1] - first_job[task]; k++) {
            const sys_job *job = &run->jobs[first_job[task] + k];
            const sys_job *awaited = k < others ? &run->jobs[first_job[other] + k] : NULL;
            if (job->end_ns >= 0 && (!awaited || awaited->end_ns < 0 || awaited->end_ns > job->end_ns))
                return job_broken(run, job, "it has ended before a job that it waits for", err);
        }
    }
    return GCAST_OK;
}

gcast_status job_rules_check(const sys_run *run, uint32_t *first_job, gcast_error *err)
{
    gcast_status status = check_numbers(run, first_job, err);
    for (size_t t = 0; t < run->of->task_count && status == GCAST_OK; t++) {
        const sys_job *jobs = &run->jobs[first_job[t]];
        uint32_t count = first_job[t + 1] - first_job[t];
        if (run->of->tasks[t].arrival == SYS_TRIGGERED)
            status = check_triggered(run, t, first_job, err);
        else
            status = check_root(run, t, jobs, count, err);
        if (status == GCAST_OK)
            status = check_order(run, t, jobs, count, err);
        if (status == GCAST_OK)
            status = check_waits(run, t, first_job, err);
    }
    return status;
}
