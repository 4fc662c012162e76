#include "analyze/system/late/chain_runs.h"

#define MOST_LOOKS 1000000 /* at jobs, of one execution */

/* Jobs of a task, in the order of their releases. */
typedef struct job_row {
    const sys_job *jobs;
    size_t count;
} job_row;

static job_row jobs_of(const sys_run *run, int task)
{
    size_t first = 0, count = 0;
    while (first < run->job_count && run->jobs[first].task != task)
        first++;
    while (first + count < run->job_count && run->jobs[first + count].task == task)
        count++;
    return (job_row){run->jobs + first, count};
}

/* Does the run show when jobs of a task read? */
static bool shows_start(const sys_run *run, int task)
{
    const sys_step *first = &run->of->tasks[task].steps[0];
    return first->kind == SYS_RUN && system_step_time(run->of, first, run->places[task].core).min_ns > 0;
}

/* Data goes from one job to another only by reading and writing: no task triggers the next one or waits for it. */
static bool is_sampled(const sys_run *run, const sys_chain *chain)
{
    const sys_system *s = run->of;
    for (size_t i = 0; i < chain->task_count; i++)
        if (!shows_start(run, chain->tasks[i]))
            return false;
    for (size_t i = 0; i < chain->task_count; i++)
        for (size_t k = 0; k < i; k++)
            if (s->tasks[chain->tasks[i]].root == s->tasks[chain->tasks[k]].root)
                return false;
    return true;
}

static bool is_over(const sys_run *run, const sys_job *job)
{
    return job->start_ns >= 0 && job->end_ns >= 0 && job->end_ns <= run->horizon_ns;
}

/* From the release of a job of the first task to the first output that rests on it; -1: the run does not show it. */
static int64_t first_output(const sys_run *run, const sys_chain *chain, const sys_job *from)
{
    const sys_job *job = from;
    for (size_t i = 1; i < chain->task_count && job; i++) {
        job_row row = jobs_of(run, chain->tasks[i]);
        int64_t written = job->end_ns;
        job = NULL;
        for (size_t k = 0; k < row.count && !job; k++)
            if (row.jobs[k].start_ns >= written)
                job = is_over(run, &row.jobs[k]) ? &row.jobs[k] : NULL;
            else if (row.jobs[k].start_ns < 0)
                break;
    }
    return job ? job->end_ns - from->root_release_ns : -1;
}

/* From the reading of the first task to an output that rests on it; -1: nothing had been written yet. */
static int64_t age_of(const sys_run *run, const sys_chain *chain, const sys_job *last)
{
    const sys_job *job = last;
    for (size_t i = chain->task_count - 1; i-- > 0 && job;) {
        job_row row = jobs_of(run, chain->tasks[i]);
        int64_t read = job->start_ns;
        job = NULL;
        for (size_t k = 0; k < row.count; k++)
            if (is_over(run, &row.jobs[k]) && row.jobs[k].end_ns <= read)
                job = &row.jobs[k];
    }
    return job ? last->end_ns - job->start_ns : -1;
}

static gcast_status contradicts(const sys_chain *chain, const char *what, int64_t seen, int64_t bound, gcast_error *err)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL,
                           "chain %s: its %s is %lld ns in an execution, more than its bound of %lld ns. This is a "
                           "mistake of gridcast: please report it with this file",
                           chain->name, what, (long long)seen, (long long)bound);
}

static gcast_status look(const sys_answer *a, const sys_run *run, size_t chain, gcast_error *err)
{
    const sys_chain *of = &a->of->chains[chain];
    const sys_latency *l = &a->chains[chain].by[SYS_IMPLICIT];
    job_row firsts = jobs_of(run, of->tasks[0]), lasts = jobs_of(run, of->tasks[of->task_count - 1]);
    for (size_t i = 0; i < firsts.count; i++) {
        int64_t seen = is_over(run, &firsts.jobs[i]) ? first_output(run, of, &firsts.jobs[i]) : -1;
        if (seen > l->first_worst_ns)
            return contradicts(of, "reaction", seen, l->first_worst_ns, err);
    }
    for (size_t i = 0; i < lasts.count; i++) {
        int64_t seen = is_over(run, &lasts.jobs[i]) ? age_of(run, of, &lasts.jobs[i]) : -1;
        if (seen > l->age_worst_ns)
            return contradicts(of, "age", seen, l->age_worst_ns, err);
    }
    return GCAST_OK;
}

gcast_status chains_look(const sys_answer *a, const sys_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    size_t looks = 0;
    for (size_t i = 0; a->chains && i < a->of->chain_count && status == GCAST_OK; i++) {
        const sys_chain *chain = &a->of->chains[i];
        size_t ends = jobs_of(run, chain->tasks[0]).count + jobs_of(run, chain->tasks[chain->task_count - 1]).count;
        looks += ends * chain->task_count * run->job_count;
        if (looks > MOST_LOOKS)
            break;
        if (is_sampled(run, chain))
            status = look(a, run, i, err);
    }
    return status;
}
