/* At each time, first steps end, core by core, together with what follows at once in their tasks, such as triggers and
 * ends of jobs. Then jobs of roots are released. Then each core decides what it runs. Steps that take no time are done
 * as soon as the task has its core, together with the step before. */
#include "simulate/system/core_steps.h"

#include <stdlib.h>

#include "base/integers.h"
#include "simulate/system/drawn_times.h"
#include "simulate/system/gpu_calls.h"
#include "simulate/system/gpu_slices.h"

static const sys_step *step_of(const system_sim *x, int task)
{
    return &x->s->tasks[task].steps[x->tasks[task].step];
}

static ready_item item_of(system_sim *x, int task)
{
    return (ready_item){.priority = x->places[task].priority,
                        .release_ns = system_job(x, task)->release_ns,
                        .task = (uint32_t)task,
                        .isr = x->s->tasks[task].isr};
}

static void mark_dirty(system_sim *x, int c)
{
    x->dirty_count += !x->cores[c].is_dirty;
    x->cores[c].is_dirty = true;
}

static void make_ready(system_sim *x, int task)
{
    int c = x->places[task].core;
    x->tasks[task].phase = PHASE_READY;
    if (!ready_add(&x->cores[c].ready, item_of(x, task)))
        system_fail_memory(x);
    mark_dirty(x, c);
}

/* The next job of a task on a core becomes the current one. */
static void begin_job(system_sim *x, int task)
{
    x->tasks[task].step = 0;
    x->tasks[task].left_ns = -1;
    make_ready(x, task);
}

static void release(system_sim *x, int task, int64_t root_release_ns)
{
    task_state *t = &x->tasks[task];
    uint32_t number = t->released++;
    x->jobs[t->first_job + number] = (sys_job){.task = task,
                                               .number = number,
                                               .root_release_ns = root_release_ns,
                                               .release_ns = x->now,
                                               .start_ns = -1,
                                               .end_ns = -1};
    if (x->places[task].core != SYS_GPU) {
        if (number == t->ended)
            begin_job(x, task);
    } else if (x->calls) {
        gpu_calls_release(x, task, number);
    } else {
        gpu_slices_release(x, task);
    }
}

/* Records the running task's slice up to now. */
static void end_slice(system_sim *x, int c)
{
    core_state *core = &x->cores[c];
    task_state *t = &x->tasks[core->running];
    sys_job *job = system_job(x, core->running);
    int64_t since = core->since_ns;
    core->since_ns = x->now;
    if (since == x->now)
        return;
    if (t->phase == PHASE_RUNNING && job->start_ns < 0)
        job->start_ns = since;
    sys_slice slice = {.core = c,
                       .job = (uint32_t)(job - x->jobs),
                       .step = t->step,
                       .waits = t->phase == PHASE_SPINNING,
                       .start_ns = since,
                       .end_ns = x->now};
    if ((x->options->record || x->options->record_slices) && !vec_push(&x->slices, slice))
        system_fail_memory(x);
}

static void leave_core(system_sim *x, int task, task_phase phase)
{
    int c = x->places[task].core;
    x->tasks[task].phase = phase;
    x->cores[c].running = SYS_NONE;
    mark_dirty(x, c);
}

/* The job of `task` with this number has ended: a job that waits for it goes on. A job that waits for its core will
 * check when it gets the core. */
static void wake_waiter(system_sim *x, int task, uint32_t number)
{
    int waiter = x->s->tasks[task].waiter;
    if (waiter == SYS_NONE)
        return;
    task_state *t = &x->tasks[waiter];
    if ((t->phase != PHASE_SUSPENDED && t->phase != PHASE_SPINNING) || t->ended != number ||
        step_of(x, waiter)->task != task)
        return;
    if (t->phase == PHASE_SUSPENDED)
        make_ready(x, waiter);
    else if (!vec_push(&x->resumed, (uint32_t)waiter))
        system_fail_memory(x);
}

static void end_job(system_sim *x, int task)
{
    task_state *t = &x->tasks[task];
    system_job(x, task)->end_ns = x->now;
    uint32_t number = t->ended++;
    leave_core(x, task, PHASE_NONE);
    wake_waiter(x, task, number);
    if (t->released > t->ended)
        begin_job(x, task);
}

void cores_gpu_job_ends(system_sim *x, int task, int64_t start_ns)
{
    sys_job *job = system_job(x, task);
    job->start_ns = start_ns;
    job->end_ns = x->now;
    wake_waiter(x, task, x->tasks[task].ended++);
}

/* Does a task hold its core while it waits for `other`? Not if that would keep `other` from running: it would wait for
 * ever. */
static bool holds_core(system_sim *x, int task, int other)
{
    ready_item own = {.priority = x->places[task].priority, .isr = x->s->tasks[task].isr};
    ready_item its = {.priority = x->places[other].priority, .isr = x->s->tasks[other].isr};
    return x->places[task].busy && (x->places[task].core != x->places[other].core || ready_is_higher(&its, &own));
}

/* The task has its core, and goes on to a step that takes time, to a wait or to its end. */
static void advance(system_sim *x, int task)
{
    const sys_task *of = &x->s->tasks[task];
    task_state *t = &x->tasks[task];
    int c = x->places[task].core;
    x->cores[c].open_ns = x->now;
    for (; t->step < of->step_count && x->status == GCAST_OK; t->step++, t->left_ns = -1) {
        const sys_step *step = &of->steps[t->step];
        if (step->kind == SYS_TRIGGER) {
            release(x, step->task, system_job(x, task)->root_release_ns);
        } else if (step->kind == SYS_WAIT) {
            if (x->tasks[step->task].ended > t->ended)
                continue;
            if (holds_core(x, task, step->task))
                t->phase = PHASE_SPINNING;
            else
                leave_core(x, task, PHASE_SUSPENDED);
            return;
        } else {
            if (t->left_ns < 0)
                t->left_ns = drawn_step_ns(x->options, task, t->ended, t->step, system_step_time(x->s, step, c));
            if (!t->left_ns)
                continue;
            t->phase = PHASE_RUNNING;
            return;
        }
    }
    if (x->status == GCAST_OK)
        end_job(x, task);
}

/* Tasks whose spinning is over go on. Each may end the wait of another. */
static void resume(system_sim *x)
{
    while (x->resumed.count && x->status == GCAST_OK) {
        int task = (int)x->resumed.at[--x->resumed.count];
        end_slice(x, x->places[task].core);
        advance(x, task);
        mark_dirty(x, x->places[task].core);
    }
}

static void end_step(system_sim *x, int c)
{
    core_state *core = &x->cores[c];
    int task = core->running;
    end_slice(x, c);
    core->end_ns = INT64_MAX;
    x->tasks[task].step++;
    x->tasks[task].left_ns = -1;
    mark_dirty(x, c);
    advance(x, task);
    resume(x);
}

/* Releases a job of a root; and its next ones, where jitter releases these now too. */
static void release_root(system_sim *x, int task)
{
    const sys_task *of = &x->s->tasks[task];
    task_state *t = &x->tasks[task];
    int64_t next;
    do {
        release(x, task, t->nominal_ns);
        if (of->once)
            return;
        t->nominal_ns +=
            of->arrival == SYS_SPORADIC ? drawn_distance_ns(x->options, task, t->released, of) : of->period_ns;
        next = max_i64(x->now, t->nominal_ns + drawn_jitter_ns(x->options, task, t->released, of->jitter_ns));
    } while (t->nominal_ns < x->horizon_ns && next == x->now);
    if (t->nominal_ns < x->horizon_ns)
        system_push(x, next, SYSTEM_EVENT_RELEASE, (uint32_t)task);
}

/* May the first waiting task preempt the running task? */
static bool preempts(system_sim *x, const core_state *core, const ready_item *first)
{
    ready_item running = item_of(x, core->running);
    if (!ready_is_higher(first, &running))
        return false;
    sys_preemption preemption = x->s->tasks[core->running].preemption;
    return x->tasks[core->running].phase == PHASE_SPINNING || preemption == SYS_PREEMPTIVE ||
           (preemption == SYS_COOPERATIVE && core->open_ns == x->now);
}

static void preempt(system_sim *x, int c)
{
    core_state *core = &x->cores[c];
    int task = core->running;
    end_slice(x, c);
    if (core->end_ns != INT64_MAX)
        x->tasks[task].left_ns = core->end_ns - x->now;
    core->end_ns = INT64_MAX;
    core->running = SYS_NONE;
    make_ready(x, task);
}

/* The core decides what it runs. */
static void decide(system_sim *x, int c)
{
    core_state *core = &x->cores[c];
    core->is_dirty = false;
    x->dirty_count--;
    const ready_item *first = ready_first(&core->ready);
    if (core->running != SYS_NONE && first && preempts(x, core, first))
        preempt(x, c);
    if (core->running == SYS_NONE && ready_first(&core->ready)) {
        core->running = (int)ready_take(&core->ready).task;
        core->since_ns = x->now;
        advance(x, core->running);
        resume(x);
    }
    if (core->running != SYS_NONE && x->tasks[core->running].phase == PHASE_RUNNING && core->end_ns == INT64_MAX) {
        core->end_ns = system_after(x, x->tasks[core->running].left_ns);
        system_push(x, core->end_ns, SYSTEM_EVENT_STEP, (uint32_t)c);
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Lists the events of now. A step whose task was preempted does not end. */
static void collect(system_sim *x)
{
    x->step_ends.count = x->releases.count = 0;
    for (const heap_item *top; (top = heap_top(&x->events)) && top->time <= x->now && x->status == GCAST_OK;) {
        heap_item e = heap_pop(&x->events);
        bool ok = true;
        if (e.kind == SYSTEM_EVENT_RELEASE)
            ok = vec_push(&x->releases, e.id);
        else if (e.kind == SYSTEM_EVENT_STEP && x->cores[e.id].end_ns == x->now) {
            x->cores[e.id].end_ns = INT64_MAX; /* once */
            ok = vec_push(&x->step_ends, e.id);
        }
        if (!ok)
            system_fail_memory(x);
    }
    if (x->step_ends.count > 1)
        qsort(x->step_ends.at, x->step_ends.count, sizeof *x->step_ends.at, by_number);
    if (x->releases.count > 1)
        qsort(x->releases.at, x->releases.count, sizeof *x->releases.at, by_number);
}

void cores_now(system_sim *x)
{
    collect(x);
    resume(x);
    for (size_t i = 0; i < x->step_ends.count && x->status == GCAST_OK; i++)
        end_step(x, (int)x->step_ends.at[i]);
    for (size_t i = 0; i < x->releases.count && x->status == GCAST_OK; i++)
        release_root(x, (int)x->releases.at[i]);
    while (x->dirty_count && x->status == GCAST_OK)
        for (size_t c = 0; c < x->s->core_count && x->status == GCAST_OK; c++)
            if (x->cores[c].is_dirty)
                decide(x, (int)c);
}

void cores_stop(system_sim *x)
{
    for (size_t c = 0; c < x->s->core_count; c++)
        if (x->cores[c].running != SYS_NONE)
            end_slice(x, (int)c);
}
