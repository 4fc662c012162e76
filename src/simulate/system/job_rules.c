/* First the rules that the times of jobs show, then those that their slices show. */
#include "simulate/system/job_rules.h"

#include <stdlib.h>

#include "base/integers.h"

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

/* Jobs of a task run one after the other, each after its release, and at least as long as their steps take. */
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

/* A job ends after all jobs that it waits for. */
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

/* A job whose slices are followed step by step. */
typedef struct walk {
    const sys_run *run;
    const uint32_t *first_job;
    const sys_job *job;
    const sys_slice *const *next, *const *end; /* the slices that are left, and their end */
    int64_t at_ns;                             /* when the last step ended, as far as known */
    bool is_exact;                             /* the job left its core at at_ns; else it may have had the core later */
    int64_t ready_ns;                          /* since when it has wanted its core; -1: unknown */
    bool may_pause;     /* it need not have its core from at_ns on, whatever its preemption: it begins, or has waited */
    int64_t run_end_ns; /* the end of the run's last slice; a job that has not ended wants its core until then */
    wait_spans *spans;
    gcast_error *err;
} walk;

gcast_status job_slices_init(job_slices *x, const sys_run *run, gcast_error *err)
{
    x->first = calloc(run->job_count + 2, sizeof *x->first);
    x->by_job = malloc((run->slice_count + 1) * sizeof *x->by_job);
    x->end_ns = 0;
    if (!x->first || !x->by_job)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *s = &run->slices[i];
        if (s->job >= run->job_count || s->core < SYS_GPU || s->core >= (int)run->of->core_count || s->start_ns < 0 ||
            s->end_ns <= s->start_ns || (i && s->start_ns < run->slices[i - 1].start_ns))
            return gcast_error_set(err, GCAST_INTERNAL, NULL, "slice %zu is of no job or core, or out of order", i);
        x->first[s->job + 2]++;
        x->end_ns = max_i64(x->end_ns, s->end_ns);
    }
    for (size_t j = 0; j < run->job_count; j++)
        x->first[j + 2] += x->first[j + 1];
    for (size_t i = 0; i < run->slice_count; i++)
        x->by_job[x->first[run->slices[i].job + 1]++] = &run->slices[i];
    return GCAST_OK;
}

void job_slices_free(job_slices *x)
{
    free(x->first);
    free(x->by_job);
}

static gcast_status broken(const walk *w, const char *what)
{
    return job_broken(w->run, w->job, what, w->err);
}

/* The job gets its core, or ends, at this time. */
static gcast_status got_core(walk *w, int64_t time)
{
    wait_span span = {w->run->places[w->job->task].core, w->job->task, (uint32_t)(w->job - w->run->jobs), w->ready_ns,
                      time};
    if (w->ready_ns >= 0 && time > w->ready_ns && !vec_push(&w->spans->spans, span))
        return gcast_error_set_memory(w->err);
    w->ready_ns = time;
    return GCAST_OK;
}

static const sys_slice *next_slice(const walk *w, size_t step)
{
    return w->next < w->end && (*w->next)->step == step ? *w->next : NULL;
}

/* May there be a pause before a slice? `first`: it is the first slice of its step. */
static bool pause_allowed(const walk *w, bool first)
{
    sys_preemption preemption = w->run->of->tasks[w->job->task].preemption;
    return w->may_pause || preemption == SYS_PREEMPTIVE || (preemption == SYS_COOPERATIVE && first);
}

static gcast_status take_slice(walk *w, const sys_slice *s, bool first)
{
    if (s->core != w->run->places[w->job->task].core)
        return broken(w, "it runs on a core that is not its own");
    if (s->start_ns < w->at_ns)
        return broken(w, "it runs before it can");
    if (s->start_ns > w->at_ns && !s->waits && !pause_allowed(w, first))
        return broken(w, "it is preempted where it cannot be");
    gcast_status status = got_core(w, s->start_ns);
    w->at_ns = w->ready_ns = s->end_ns;
    w->is_exact = true;
    w->next++;
    return status;
}

/* *ended: the step has ended, so that the next one may come. */
static gcast_status walk_run(walk *w, size_t step, bool *ended)
{
    const sys_job *job = w->job;
    const sys_step *of = &w->run->of->tasks[job->task].steps[step];
    sys_range range = system_step_time(w->run->of, of, w->run->places[job->task].core);
    int64_t sum = 0;
    bool first = true;
    for (const sys_slice *s; (s = next_slice(w, step)); first = false) {
        if (s->waits)
            return broken(w, "it waits in a step that runs code");
        gcast_status status = take_slice(w, s, first);
        if (status != GCAST_OK)
            return status;
        w->may_pause = false;
        sum += s->end_ns - s->start_ns;
    }
    *ended = w->next < w->end || job->end_ns >= 0 || sum >= range.max_ns;
    if (sum > range.max_ns || (*ended && sum < range.min_ns))
        return broken(w, "a step does not take as long as it may");
    if (!*ended && sum >= range.min_ns)
        w->ready_ns = -1; /* a job that never ends may wait at a later step */
    return GCAST_OK;
}

/* The job of another task with the same number; NULL: it was not released. */
static const sys_job *partner(const walk *w, int task)
{
    uint32_t count = w->first_job[task + 1] - w->first_job[task];
    return w->job->number < count ? &w->run->jobs[w->first_job[task] + w->job->number] : NULL;
}

static gcast_status walk_trigger(walk *w, int task, bool *ended)
{
    const sys_job *other = partner(w, task);
    *ended = other != NULL;
    if (!other)
        return w->next < w->end || w->job->end_ns >= 0 ? broken(w, "it has not triggered a task") : GCAST_OK;
    bool late = (w->next < w->end && other->release_ns > (*w->next)->start_ns) ||
                (w->job->end_ns >= 0 && other->release_ns > w->job->end_ns);
    if (other->release_ns < w->at_ns || (w->is_exact && other->release_ns > w->at_ns) || late)
        return broken(w, "it triggers a task when it is not at that step");
    gcast_status status = got_core(w, other->release_ns);
    if (other->release_ns > w->at_ns || w->may_pause)
        w->may_pause = w->run->of->tasks[w->job->task].preemption != SYS_NON_PREEMPTIVE;
    w->at_ns = other->release_ns;
    w->is_exact = true;
    return status;
}

/* Does the task hold its core while it waits for `other`? */
static bool is_busy(const sys_run *run, int task, int other)
{
    const sys_place *own = &run->places[task], *its = &run->places[other];
    bool own_isr = run->of->tasks[task].isr, its_isr = run->of->tasks[other].isr;
    bool higher = own_isr == its_isr ? its->priority > own->priority : its_isr;
    return own->busy && (own->core != its->core || higher);
}

static gcast_status walk_wait(walk *w, size_t step, int task, bool *ended)
{
    const sys_job *other = partner(w, task);
    int64_t over = other && other->end_ns >= 0 ? other->end_ns : INT64_MAX;
    for (const sys_slice *s; (s = next_slice(w, step));) {
        if (!s->waits || !is_busy(w->run, w->job->task, task))
            return broken(w, "it holds its core where it does not");
        if (s->start_ns >= over || s->end_ns > over)
            return broken(w, "it waits when its wait is over");
        gcast_status status = take_slice(w, s, false);
        if (status != GCAST_OK)
            return status;
        w->may_pause = true;
    }
    *ended = over != INT64_MAX;
    if (over < w->at_ns)
        return GCAST_OK;
    if (!is_busy(w->run, w->job->task, task)) /* it does not want its core until the wait is over */
        w->ready_ns = *ended ? over : -1;
    w->may_pause = true;
    w->at_ns = *ended ? over : w->at_ns;
    w->is_exact = false;
    return GCAST_OK;
}

static gcast_status walk_job(walk *w)
{
    const sys_task *t = &w->run->of->tasks[w->job->task];
    const sys_slice *const *slice = w->next;
    gcast_status status = GCAST_OK;
    bool ended = true;
    while (slice < w->end && (*slice)->waits)
        slice++;
    if (w->job->start_ns != (slice < w->end ? (*slice)->start_ns : -1))
        return broken(w, "it does not start with its first slice");
    for (size_t i = 0; i < t->step_count && ended && status == GCAST_OK; i++) {
        const sys_step *step = &t->steps[i];
        if (step->kind == SYS_RUN)
            status = walk_run(w, i, &ended);
        else if (step->kind == SYS_TRIGGER)
            status = walk_trigger(w, step->task, &ended);
        else
            status = walk_wait(w, i, step->task, &ended);
    }
    if (status != GCAST_OK)
        return status;
    if (w->next < w->end)
        return broken(w, "its slices do not follow its steps");
    int64_t end = w->job->end_ns;
    if (end < 0)
        return ended && w->is_exact ? broken(w, "it has done its steps and has not ended") : got_core(w, w->run_end_ns);
    if (!ended || end < w->at_ns || (w->is_exact && end > w->at_ns))
        return broken(w, "it does not end when its steps do");
    return got_core(w, end);
}

gcast_status job_walk_check(const sys_run *run, const uint32_t *first_job, const job_slices *slices, wait_spans *spans,
                            gcast_error *err)
{
    for (size_t j = 0; j < run->job_count; j++) {
        const sys_job *job = &run->jobs[j];
        if (run->places[job->task].core == SYS_GPU)
            continue;
        int64_t before = job->number ? job[-1].end_ns : 0;
        int64_t ready = before < 0 ? INT64_MAX : max_i64(before, job->release_ns);
        walk w = {.run = run,
                  .first_job = first_job,
                  .job = job,
                  .next = &slices->by_job[slices->first[j]],
                  .end = &slices->by_job[slices->first[j + 1]],
                  .at_ns = ready,
                  .ready_ns = ready,
                  .may_pause = true,
                  .run_end_ns = slices->end_ns,
                  .spans = spans,
                  .err = err};
        if (ready == INT64_MAX && w.next < w.end)
            return job_broken(run, job, "it runs before the job before it has ended", err);
        gcast_status status = ready == INT64_MAX ? GCAST_OK : walk_job(&w);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}
