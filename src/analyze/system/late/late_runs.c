#include "analyze/system/late/late_runs.h"

#include "analyze/system/effects/task_effects.h"
#include "analyze/system/late/chain_runs.h"
#include "analyze/system/late/limit_runs.h"
#include "base/minmax.h"
#include "simulate/system/system_simulate.h"

#define MAX_WORK 100000    /* of all executions together */
#define BLOCKS_OF_A_JOB 64 /* that take about as long to simulate as a job */
#define MAX_TRIED 32

static int64_t longest_period(const sys_system *s)
{
    int64_t longest = 1;
    for (size_t i = 0; i < s->task_count; i++)
        longest = max_i64(longest, (system_runs_once(s, (int)i) ? 1 : s->tasks[i].period_ns) + s->tasks[i].offset_ns);
    return longest;
}

/* Of a job of the task, in jobs; at most MAX_WORK + 1. */
static int64_t work_of(const sys_answer *a, size_t task)
{
    const sys_task *t = &a->of->tasks[task];
    uint64_t work = 1;
    for (size_t i = 0; a->places[task].core == SYS_GPU && i < t->step_count && work <= MAX_WORK; i++)
        if (t->steps[i].op.kind == GCAST_KIND_KERNEL)
            work +=
                (uint64_t)t->steps[i].op.grid[0] * t->steps[i].op.grid[1] / BLOCKS_OF_A_JOB * t->steps[i].op.grid[2];
    return work > MAX_WORK ? MAX_WORK + 1 : (int64_t)work;
}

/* Of one execution up to this time, in jobs; at most MAX_WORK + 1. */
static int64_t count_work(const sys_answer *a, int64_t horizon_ns)
{
    int64_t work = 0;
    for (size_t i = 0; i < a->of->task_count && work <= MAX_WORK; i++) {
        int64_t jobs = min_i64(horizon_ns / a->of->tasks[i].period_ns + 1, MAX_WORK + 1);
        work += jobs * work_of(a, i);
    }
    return min_i64(work, MAX_WORK + 1);
}

/* Of one execution up to this time; at most MAX_WORK + 1. */
static int64_t count_jobs(const sys_answer *a, int64_t horizon_ns)
{
    int64_t jobs = 0;
    for (size_t i = 0; i < a->of->task_count && jobs <= MAX_WORK; i++)
        jobs += min_i64(horizon_ns / a->of->tasks[i].period_ns + 1, MAX_WORK + 1);
    return min_i64(jobs, MAX_WORK + 1);
}

/* Long enough for the slowest task to meet the others in many ways, short enough to try several. Where the slowest one
 * comes very rarely beside the others, such as one that is started once, only a part of its period is looked at. */
static int64_t choose_horizon(const sys_answer *a)
{
    int64_t horizon = longest_period(a->of);
    while (horizon > 1 && count_jobs(a, horizon) > MAX_WORK / 2)
        horizon /= 2;
    for (int doubled = 0; doubled < 5 && count_work(a, horizon * 2) <= MAX_WORK / 8; doubled++)
        horizon *= 2;
    return horizon;
}

static gcast_status contradicts(const sys_task *of, const sys_job *job, int64_t response, int64_t worst_ns,
                                gcast_error *err)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL,
                           "task %s: job %u takes %lld ns in an execution, more than its bound of %lld ns. This is a "
                           "mistake of gridcast: please report it with this file",
                           of->name, job->number, (long long)response, (long long)worst_ns);
}

/* After the horizon nothing is released, so that what happens then need not happen in an execution that goes on. A job
 * that has not ended at the horizon takes at least until then. Only a task whose worst time has no bound, or one beyond
 * its deadline, may miss that. */
static gcast_status take(sys_answer *a, sys_task_answer *tasks, const sys_run *run, int tried, gcast_error *err)
{
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        sys_task_answer *t = &tasks[job->task];
        const sys_task *of = &a->of->tasks[job->task];
        bool ended = job->end_ns >= 0 && job->end_ns <= run->horizon_ns;
        int64_t until = ended ? job->end_ns : run->horizon_ns;
        int64_t response = until - job->root_release_ns, own = until - job->release_ns;
        if (t->worst_ns != SYS_UNBOUNDED && response > t->worst_ns)
            return contradicts(of, job, response, t->worst_ns, err);
        if (t->own_worst_ns != SYS_UNBOUNDED && own > t->own_worst_ns)
            return contradicts(of, job, own, t->own_worst_ns, err);
        if (response > t->seen_ns) {
            t->seen_ns = response;
            t->seen_in = tried;
        }
        if (!of->deadline_ns || own <= of->deadline_ns)
            continue;
        a->all_met = false;
        if (t->verdict == GCAST_DEADLINE_MISSED)
            continue;
        t->verdict = verdict_with_effects(GCAST_DEADLINE_MISSED, t->effects, true, true);
        t->missed_in = t->verdict == GCAST_DEADLINE_MISSED ? tried : SYS_NONE;
    }
    return GCAST_OK;
}

static gcast_status try_one(sys_answer *a, sys_task_answer *tasks, const sys_tried *own, gcast_error *err)
{
    sys_simulate_options o = {.durations = own->longest    ? GCAST_DURATIONS_MAX
                                           : own->shortest ? GCAST_DURATIONS_MIN
                                                           : GCAST_DURATIONS_RANDOM,
                              .seed = own->seed,
                              .random_offsets = own->random_offsets,
                              .random_jitter = own->seed > 0,
                              .horizon_ns = own->horizon_ns,
                              .record_slices = limits_need_slices(a->of)};
    sys_run *run;
    gcast_status status = system_simulate(a->of, a->places, &o, &run, err);
    if (status != GCAST_OK)
        return status;
    status = take(a, tasks, run, (int)a->tried_count, err);
    if (status == GCAST_OK)
        status = limits_look(a, run, (int)a->tried_count, err);
    if (status == GCAST_OK)
        status = chains_look(a, run, err);
    system_run_free(run);
    return status;
}

gcast_status system_look_for_late(sys_answer *a, bool ignore_offsets, gcast_error *err)
{
    sys_tried *tried = arena_alloc_array(&a->memory, MAX_TRIED, sizeof *tried);
    if (!tried)
        return gcast_error_set_memory(err);
    sys_task_answer *tasks = (sys_task_answer *)a->tasks; /* of the answer's own memory */
    int64_t horizon = choose_horizon(a);
    int64_t times = max_i64(2, min_i64(MAX_WORK / count_work(a, horizon), MAX_TRIED));
    for (size_t i = 0; i < a->of->task_count; i++) {
        tasks[i].seen_ns = -1;
        tasks[i].seen_in = tasks[i].missed_in = SYS_NONE;
    }
    a->tried = tried;
    for (a->tried_count = 0; (int64_t)a->tried_count < times; a->tried_count++) {
        sys_tried *own = &tried[a->tried_count];
        bool shortest = a->tried_count == 1 && (times > 2 || limits_from_below(a->of));
        *own = (sys_tried){.longest = a->tried_count == 0,
                           .shortest = shortest,
                           .seed = shortest ? 0 : a->tried_count,
                           .random_offsets = ignore_offsets && a->tried_count > 0 && !shortest,
                           .horizon_ns = horizon};
        gcast_status status = try_one(a, tasks, own, err);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}
