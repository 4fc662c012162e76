#include "support/chain_oracle.h"

#include "base/integers.h"

/* Is `a` a task that started `b`, or one that started one that did? */
static bool starts(const sys_system *s, int a, int b)
{
    while (s->tasks[b].arrival == SYS_TRIGGERED) {
        b = s->tasks[b].trigger;
        if (b == a)
            return true;
    }
    return false;
}

/* Does `a` go on only after `b` has ended? */
static bool awaits(const sys_system *s, int a, int b)
{
    while (s->tasks[b].arrival == SYS_TRIGGERED && s->tasks[b].waiter != SYS_NONE) {
        b = s->tasks[b].waiter;
        if (b == a)
            return true;
    }
    return false;
}

/* Does a job of task `place` go on with what the job of the same root's job of the task before it gives? Not where that
 * was triggered before its data came. */
static bool follows(const sys_system *s, const sys_chain *chain, size_t place)
{
    int before = chain->tasks[place - 1], next = chain->tasks[place];
    if (awaits(s, next, before))
        return true;
    if (!starts(s, before, next))
        return false;
    if (place < 2 || !follows(s, chain, place - 1) || !awaits(s, before, chain->tasks[place - 2]))
        return true;
    /* data came in at a wait: is the trigger behind it? */
    int child = next, waited = chain->tasks[place - 2];
    while (s->tasks[child].trigger != before)
        child = s->tasks[child].trigger;
    while (s->tasks[waited].trigger != before)
        waited = s->tasks[waited].trigger;
    for (size_t i = 0; i < s->tasks[before].step_count; i++) {
        const sys_step *step = &s->tasks[before].steps[i];
        if (step->kind == SYS_TRIGGER && step->task == child)
            return false;
        if (step->kind == SYS_WAIT && step->task == waited)
            return true;
    }
    return false;
}

static const sys_job *job_of(const sys_run *run, int task, uint32_t number)
{
    for (size_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].task == task && run->jobs[i].number == number)
            return &run->jobs[i];
    return NULL;
}

/* A job whose first step may take no time may do something before it starts: it reads when it is released. */
static int64_t read_ns(const sys_run *run, const sys_job *job)
{
    const sys_step *first = &run->of->tasks[job->task].steps[0];
    bool takes = first->kind == SYS_RUN && (first->on_gpu || first->on[0].min_ns > 0);
    return takes ? job->start_ns : job->release_ns;
}

static const sys_job *first_that_reads(const sys_run *run, int task, int64_t from)
{
    for (size_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].task == task && read_ns(run, &run->jobs[i]) >= from)
            return &run->jobs[i];
    return NULL;
}

static const sys_job *last_that_wrote(const sys_run *run, int task, int64_t by)
{
    const sys_job *last = NULL;
    for (size_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].task == task && run->jobs[i].end_ns >= 0 && run->jobs[i].end_ns <= by)
            last = &run->jobs[i];
    return last;
}

/* When the first output is there that rests on a job of the first task; -1: not in this run. */
static int64_t output_of(const sys_run *run, const sys_chain *chain, const sys_job *job)
{
    for (size_t i = 1; i < chain->task_count && job && job->end_ns >= 0; i++)
        job = follows(run->of, chain, i) ? job_of(run, chain->tasks[i], job->number)
                                         : first_that_reads(run, chain->tasks[i], job->end_ns);
    return job ? job->end_ns : -1;
}

/* The job of the first task on which an output rests; NULL: none. */
static const sys_job *source_of(const sys_run *run, const sys_chain *chain, const sys_job *job)
{
    for (size_t i = chain->task_count - 1; i > 0 && job; i--) {
        int before = chain->tasks[i - 1];
        job = follows(run->of, chain, i) ? job_of(run, before, job->number)
                                         : last_that_wrote(run, before, read_ns(run, job));
    }
    return job;
}

chain_seen chain_seen_in_run(const sys_run *run, const sys_chain *chain)
{
    chain_seen seen = {.first_least = INT64_MAX, .age_least = INT64_MAX};
    for (size_t i = 0; i < run->job_count; i++) {
        const sys_job *job = &run->jobs[i];
        if (job->task == chain->tasks[0]) {
            int64_t end = output_of(run, chain, job);
            const sys_job *before = job->number ? job_of(run, job->task, job->number - 1) : NULL;
            if (end >= 0) {
                seen.first_most = max_i64(seen.first_most, end - job->root_release_ns);
                seen.first_least = min_i64(seen.first_least, end - read_ns(run, job));
                if (before)
                    seen.reaction_most = max_i64(seen.reaction_most, end - read_ns(run, before));
            }
        }
        /* after the horizon nothing is released that would have written */
        if (job->task == chain->tasks[chain->task_count - 1] && job->end_ns >= 0 && job->end_ns < run->horizon_ns) {
            const sys_job *source = source_of(run, chain, job);
            if (!source || source->end_ns < 0)
                continue;
            seen.age_most = max_i64(seen.age_most, job->end_ns - read_ns(run, source));
            seen.age_least = min_i64(seen.age_least, job->end_ns - read_ns(run, source));
        }
    }
    return seen;
}

static const sys_task *root_of(const sys_system *s, int task)
{
    return &s->tasks[s->tasks[task].root];
}

chain_seen chain_seen_with_let(const sys_system *s, const sys_chain *chain, int64_t until_ns)
{
    chain_seen seen = {.first_least = INT64_MAX, .age_least = INT64_MAX};
    const sys_task *first = root_of(s, chain->tasks[0]);
    for (int64_t read = first->offset_ns; read < until_ns; read += first->period_ns) {
        int64_t written = read + first->period_ns;
        for (size_t i = 1; i < chain->task_count; i++) {
            const sys_task *root = root_of(s, chain->tasks[i]);
            int64_t next = root->offset_ns;
            if (follows(s, chain, i))
                continue;
            while (next < written)
                next += root->period_ns;
            written = next + root->period_ns;
        }
        seen.first_most = max_i64(seen.first_most, written - read);
        seen.first_least = min_i64(seen.first_least, written - read);
        seen.reaction_most = max_i64(seen.reaction_most, written - read + first->period_ns);
    }
    const sys_task *last = root_of(s, chain->tasks[chain->task_count - 1]);
    for (int64_t release = last->offset_ns; release < until_ns; release += last->period_ns) {
        int64_t read = release;
        for (size_t i = chain->task_count - 1; i > 0 && read >= 0; i--) {
            const sys_task *root = root_of(s, chain->tasks[i - 1]);
            if (follows(s, chain, i))
                continue;
            int64_t source = -1;
            for (int64_t k = root->offset_ns; k + root->period_ns <= read; k += root->period_ns)
                source = k;
            read = source;
        }
        if (read < 0)
            continue;
        seen.age_most = max_i64(seen.age_most, release + last->period_ns - read);
        seen.age_least = min_i64(seen.age_least, release + last->period_ns - read);
    }
    return seen;
}
