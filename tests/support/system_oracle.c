#include "support/system_oracle.h"

#include <stdlib.h>

#include "base/vec.h"
#include "simulate/duration.h"
#include "simulate/system/drawn_times.h"
#include "support/support.h"

/* A job that was released. */
typedef struct life {
    sys_job job;
    size_t step;
    int64_t left; /* of its RUN step; -1: not begun */
    bool asleep;  /* it waits for another job, without its core */
    bool spins;   /* it waits for another job, on its core */
    bool between; /* it has come to its step in this nanosecond */
} life;

typedef struct oracle {
    const sys_system *s;
    const sys_simulate_options *options;
    int64_t now, horizon;
    VEC(life) lives;
    int *running;   /* by core: the index of a life, or -1 */
    int64_t *due;   /* by root: the nominal time of its next job */
    int64_t *after; /* by root: when it is released */
    uint32_t *released;
    int gpu; /* the life on the GPU, or -1 */
    int64_t gpu_end;
} oracle;

static const sys_task *task_of(const oracle *o, int i)
{
    return &o->s->tasks[o->lives.at[i].job.task];
}

static const sys_place *place_of(const oracle *o, int i)
{
    return &o->s->places[o->lives.at[i].job.task];
}

static void release(oracle *o, int task, int64_t root_release)
{
    life l = {.job = {.task = task,
                      .number = o->released[task]++,
                      .root_release_ns = root_release,
                      .release_ns = o->now,
                      .start_ns = -1,
                      .end_ns = -1},
              .left = -1};
    assert_true(vec_push(&o->lives, l));
}

/* Has the job of this task and number ended? */
static bool has_ended(const oracle *o, int task, uint32_t number)
{
    for (size_t i = 0; i < o->lives.count; i++)
        if (o->lives.at[i].job.task == task && o->lives.at[i].job.number == number)
            return o->lives.at[i].job.end_ns >= 0;
    return false;
}

/* 1: a is of higher priority, 0: equal, -1: lower. */
static int compare(const oracle *o, int task_a, int task_b)
{
    bool a = o->s->tasks[task_a].isr, b = o->s->tasks[task_b].isr;
    int64_t x = o->s->places[task_a].priority, y = o->s->places[task_b].priority;
    return a != b ? (a ? 1 : -1) : (x > y) - (x < y);
}

static void proceed(oracle *o, int i);

/* Jobs that spin for it go on. */
static void end_job(oracle *o, int i)
{
    o->lives.at[i].job.end_ns = o->now;
    for (size_t c = 0; c < o->s->core_count; c++)
        if (o->running[c] == i)
            o->running[c] = -1;
    for (size_t c = 0; c < o->s->core_count; c++) {
        int other = o->running[c];
        if (other >= 0 && o->lives.at[other].spins &&
            task_of(o, other)->steps[o->lives.at[other].step].task == o->lives.at[i].job.task)
            proceed(o, other);
    }
}

/* The job has its core: all that takes no time. */
static void proceed(oracle *o, int i)
{
    const sys_task *t = task_of(o, i);
    int task = o->lives.at[i].job.task, core = place_of(o, i)->core;
    uint32_t number = o->lives.at[i].job.number;
    o->lives.at[i].spins = o->lives.at[i].asleep = false;
    o->lives.at[i].between = true;
    for (; o->lives.at[i].step < t->step_count; o->lives.at[i].step++, o->lives.at[i].left = -1) {
        size_t k = o->lives.at[i].step;
        const sys_step *step = &t->steps[k];
        if (step->kind == SYS_TRIGGER) {
            release(o, step->task, o->lives.at[i].job.root_release_ns);
        } else if (step->kind == SYS_RUN) {
            if (o->lives.at[i].left < 0)
                o->lives.at[i].left =
                    drawn_step_ns(o->options, task, number, (uint32_t)k, system_step_time(o->s, step, core));
            if (o->lives.at[i].left > 0)
                return;
        } else if (!has_ended(o, step->task, number)) {
            bool same = o->s->places[step->task].core == core;
            if (place_of(o, i)->busy && (!same || compare(o, step->task, task) > 0)) {
                o->lives.at[i].spins = true;
            } else {
                o->lives.at[i].asleep = true;
                o->running[core] = -1;
            }
            return;
        }
    }
    end_job(o, i);
}

/* Could it use its core? */
static bool wants_core(const oracle *o, int i)
{
    const life *l = &o->lives.at[i];
    if (l->job.end_ns >= 0 || (l->job.number && !has_ended(o, l->job.task, l->job.number - 1)))
        return false;
    return !l->asleep || has_ended(o, task_of(o, i)->steps[l->step].task, l->job.number);
}

static bool is_before(const oracle *o, int a, int b)
{
    const sys_job *x = &o->lives.at[a].job, *y = &o->lives.at[b].job;
    int order = compare(o, x->task, y->task);
    if (order)
        return order > 0;
    return x->release_ns != y->release_ns ? x->release_ns < y->release_ns : x->task < y->task;
}

static bool is_protected(const oracle *o, int i)
{
    if (o->lives.at[i].spins || task_of(o, i)->preemption == SYS_PREEMPTIVE)
        return false;
    return task_of(o, i)->preemption == SYS_NON_PREEMPTIVE || !o->lives.at[i].between;
}

/* True where another job got the core. */
static bool decide(oracle *o, int core)
{
    int best = -1, now = o->running[core];
    for (int i = 0; i < (int)o->lives.count; i++)
        if (i != now && place_of(o, i)->core == core && wants_core(o, i) && (best < 0 || is_before(o, i, best)))
            best = i;
    if (best < 0)
        return false;
    if (now >= 0 && (is_protected(o, now) || compare(o, o->lives.at[best].job.task, o->lives.at[now].job.task) <= 0))
        return false;
    if (now >= 0)
        o->lives.at[now].spins = false;
    o->running[core] = best;
    proceed(o, best);
    return true;
}

static void start_gpu(oracle *o)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    options.durations = o->options->durations;
    options.seed = o->options->seed;
    for (int i = 0; i < (int)o->lives.count && o->gpu < 0; i++) {
        life *l = &o->lives.at[i];
        if (place_of(o, i)->core != SYS_GPU || l->job.end_ns >= 0)
            continue;
        o->gpu = i;
        l->job.start_ns = o->now;
        o->gpu_end = o->now + gcast_op_block_duration(&task_of(o, i)->steps[0].op, 0, l->job.number, 0, &options);
    }
}

static void release_roots(oracle *o)
{
    for (size_t t = 0; t < o->s->task_count; t++) {
        const sys_task *of = &o->s->tasks[t];
        while (of->arrival != SYS_TRIGGERED && o->due[t] < o->horizon && o->after[t] <= o->now) {
            release(o, (int)t, o->due[t]);
            uint32_t k = o->released[t];
            o->due[t] += of->arrival == SYS_PERIODIC ? of->period_ns : drawn_distance_ns(o->options, (int)t, k, of);
            o->after[t] = o->due[t] + drawn_jitter_ns(o->options, (int)t, k, of->jitter_ns);
        }
    }
}

static void instant(oracle *o)
{
    for (size_t i = 0; i < o->lives.count; i++)
        o->lives.at[i].between = false;
    if (o->gpu >= 0 && o->gpu_end == o->now) {
        int ended = o->gpu;
        o->gpu = -1;
        end_job(o, ended);
    }
    for (size_t c = 0; c < o->s->core_count; c++) {
        int i = o->running[c];
        if (i < 0 || o->lives.at[i].spins || o->lives.at[i].between || o->lives.at[i].left)
            continue;
        o->lives.at[i].step++;
        o->lives.at[i].left = -1;
        proceed(o, i);
    }
    release_roots(o);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t c = 0; c < o->s->core_count; c++)
            changed |= decide(o, (int)c);
    }
    start_gpu(o);
    for (size_t c = 0; c < o->s->core_count; c++) {
        life *l = o->running[c] < 0 ? NULL : &o->lives.at[o->running[c]];
        if (!l || l->spins)
            continue;
        if (l->job.start_ns < 0)
            l->job.start_ns = o->now;
        l->left--;
    }
}

static int by_task(const void *a, const void *b)
{
    const sys_job *x = a, *y = b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* No job is under way at this time that will not end if it can: the sum of all that may happen. */
static int64_t last_time(const oracle *o)
{
    int64_t sum = 1;
    for (size_t t = 0; t < o->s->task_count; t++)
        for (size_t i = 0; i < o->s->tasks[t].step_count; i++)
            if (o->s->tasks[t].steps[i].kind == SYS_RUN)
                sum += system_step_time(o->s, &o->s->tasks[t].steps[i], o->s->places[t].core).max_ns;
    int64_t shortest = INT64_MAX, jitter = 0;
    for (size_t t = 0; t < o->s->task_count; t++) {
        shortest = o->s->tasks[t].period_ns < shortest ? o->s->tasks[t].period_ns : shortest;
        jitter = o->s->tasks[t].jitter_ns > jitter ? o->s->tasks[t].jitter_ns : jitter;
    }
    return o->horizon + jitter + sum * (o->horizon / shortest + 2);
}

void system_oracle(const sys_system *s, const sys_simulate_options *options, int64_t horizon_ns, sys_job **jobs,
                   size_t *count)
{
    oracle o = {.s = s, .options = options, .horizon = horizon_ns, .gpu = -1};
    o.running = malloc((s->core_count + 1) * sizeof *o.running);
    o.due = calloc(s->task_count + 1, sizeof *o.due);
    o.after = calloc(s->task_count + 1, sizeof *o.after);
    o.released = calloc(s->task_count + 1, sizeof *o.released);
    assert_true(o.running && o.due && o.after && o.released);
    for (size_t c = 0; c < s->core_count; c++)
        o.running[c] = -1;
    for (size_t t = 0; t < s->task_count; t++) {
        o.due[t] = drawn_offset_ns(options, (int)t, &s->tasks[t]);
        o.after[t] = o.due[t] + drawn_jitter_ns(options, (int)t, 0, s->tasks[t].jitter_ns);
    }
    int64_t last = last_time(&o);
    for (bool alive = true; alive && o.now <= last; o.now++) {
        instant(&o);
        alive = false;
        for (size_t t = 0; t < s->task_count; t++)
            alive |= s->tasks[t].arrival != SYS_TRIGGERED && o.due[t] < horizon_ns;
        for (size_t i = 0; i < o.lives.count; i++)
            alive |= o.lives.at[i].job.end_ns < 0;
    }
    *count = o.lives.count;
    *jobs = malloc((*count + 1) * sizeof **jobs);
    assert_non_null(*jobs);
    for (size_t i = 0; i < *count; i++)
        (*jobs)[i] = o.lives.at[i].job;
    qsort(*jobs, *count, sizeof **jobs, by_task);
    free(o.running);
    free(o.due);
    free(o.after);
    free(o.released);
    vec_free(&o.lives);
}
