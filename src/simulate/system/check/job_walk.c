#include "simulate/system/check/job_walk.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/system/check/job_rules.h"

/* One job on its way. */
typedef struct walk {
    const sys_run *run;
    const uint32_t *first_job;
    const sys_job *job;
    const sys_slice *const *next, *const *end; /* its slices that are left */
    int64_t at_ns;                             /* no step has ended later */
    bool is_exact;      /* at_ns is when the job had its core last; else it may have had it later */
    int64_t ready_ns;   /* it has wanted its core since; -1: when it last had it is not known */
    bool may_pause;     /* it need not run from at_ns on, whatever its preemption: it begins, or has waited */
    int64_t run_end_ns; /* of the last slice on the core; a job that has not ended wants it until then */
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

/* It gets its core, or ends, at this time. */
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

/* May there be a pause before a slice of a step? `first`: it is the first of the step. */
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

/* *ended: the step has, so that what follows may come. */
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
        w->ready_ns = -1; /* of a job that never ends: it may wait at a later step */
    return GCAST_OK;
}

/* The job of another task that belongs to this one; NULL: it was not released. */
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
    if (!is_busy(w->run, w->job->task, task)) /* until it is over, it does not want its core */
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
