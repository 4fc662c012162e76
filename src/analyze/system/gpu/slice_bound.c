/* A GPU whose contexts take turns by slices of time: each task on it is a context. docs/amalthea-analysis.md states the
 * model and proves these bounds. */
#include <stdio.h>

#include "analyze/call_latency.h"
#include "analyze/system/gpu/gpu_part.h"

#define MOST_STEPS 100000 /* of one window */
#define MOST_JOBS 4096    /* of one context in a row */
#define FEW_ROUNDS 100    /* after these, jobs of others are not counted any more, so that ends do not grow for ever */

/* The part of a job up to some operation. */
typedef struct job_part {
    int64_t own;   /* its copies and kernels, what its copies wait for, and switches to it */
    int64_t turns; /* slices of its kernels */
} job_part;

static int64_t slice_of(const system_work *x, int task)
{
    int64_t own = x->s->tasks[task].slice_ns;
    return own > 0 ? own : max_i64(x->s->slice_ns, 0);
}

static int64_t switch_of(const system_work *x)
{
    return max_i64(x->s->switch_ns, 0);
}

static int64_t time_of(const sys_step *step)
{
    return max_i64(step->op.kind == GCAST_KIND_KERNEL ? step->alone.max_ns : step->op.max_ns, 1);
}

/* How many slices a kernel takes. */
static int64_t turns_of(const system_work *x, int task, const sys_step *step)
{
    int64_t slice = slice_of(x, task);
    return step->op.kind != GCAST_KIND_KERNEL ? 0 : slice ? div_up(time_of(step), slice) : 1;
}

static context_load load_of(const system_work *x, int task)
{
    const sys_task *of = &x->s->tasks[task];
    context_load l = {0};
    for (size_t i = 0; i < of->step_count; i++) {
        const sys_step *step = &of->steps[i];
        int64_t time = time_of(step), slice = slice_of(x, task);
        if (step->op.kind != GCAST_KIND_KERNEL) {
            l.copy = max_i64(l.copy, time);
            continue;
        }
        l.has_kernels = true;
        l.slice = max_i64(l.slice, slice ? min_i64(slice, time) : time);
        l.work = sum_of(l.work, sum_of(time, product_of(turns_of(x, task, step), switch_of(x))));
    }
    return l;
}

static void find_loads(system_work *x)
{
    call_latency_find(x->s->gpu, &x->options->gpu, &x->launch, &x->copy);
    for (size_t i = 0; i < x->s->task_count; i++) {
        if (x->tasks[i].on_core)
            continue;
        x->loads[i] = load_of(x, (int)i);
        x->launch.used |= x->loads[i].has_kernels;
        x->copy.used |= x->loads[i].copy > 0;
    }
    x->gpu_conditional = call_latency_is_assumed(&x->launch) || call_latency_is_assumed(&x->copy);
}

/* What other contexts may run in a window of length w in which this one has so many turns: of each, one slice for a
 * turn, and no more than its jobs have that can be there. */
static int64_t others_run(const system_work *x, int task, int64_t turns, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < x->s->task_count && turns; i++) {
        const task_state *t = &x->tasks[i];
        const context_load *l = &x->loads[i];
        if (t->on_core || (int)i == task || !l->has_kernels)
            continue;
        int64_t there = sum_of(w, less(t->worst, t->release_min));
        int64_t by_turns = product_of(turns, sum_of(l->slice, switch_of(x))), by_jobs = SYS_UNBOUNDED;
        if (there < TIME_LIMIT && x->slice_rounds < FEW_ROUNDS)
            by_jobs = product_of(div_up(there, x->s->tasks[i].period_ns), l->work);
        sum = sum_of(sum, min_i64(by_turns, by_jobs));
    }
    return sum;
}

/* How long a part of a job takes at most, once those before it are over. */
static int64_t part_time(const system_work *x, int task, const job_part *part)
{
    int64_t w = part->own;
    for (int i = 0; i < MOST_STEPS && w < TIME_LIMIT; i++) {
        int64_t next = sum_of(part->own, others_run(x, task, part->turns, w));
        if (next <= w)
            return w;
        w = next;
    }
    return SYS_UNBOUNDED;
}

static job_part op_part(const system_work *x, int task, const sys_step *step, int64_t other_copies, bool switches)
{
    job_part part = {time_of(step), turns_of(x, task, step)};
    if (step->op.kind != GCAST_KIND_KERNEL)
        part.own = sum_of(part.own, other_copies);
    else if (switches)
        part.own = sum_of(part.own, product_of(part.turns, switch_of(x)));
    return part;
}

/* Ends of the operations of a job that finds its context idle, from its release. */
static void job_ends(system_work *x, int task, int64_t *ends)
{
    const sys_task *of = &x->s->tasks[task];
    int64_t other_copies = 0, end = 0, latest = 0;
    bool switches = false;
    job_part all = {0};
    for (size_t i = 0; i < x->s->task_count; i++)
        if (!x->tasks[i].on_core && (int)i != task) {
            other_copies = sum_of(other_copies, x->loads[i].copy);
            switches |= x->loads[i].has_kernels;
        }
    for (size_t i = 0; i < of->step_count; i++) {
        const sys_step *step = &of->steps[i];
        int64_t latency =
            sum_of(step->op.kind == GCAST_KIND_KERNEL ? x->launch.max_ns : x->copy.max_ns, step->op.extra_latency_ns);
        job_part part = op_part(x, task, step, other_copies, switches);
        latest = max_i64(latest, latency);
        all.own = sum_of(all.own, part.own);
        all.turns += part.turns;
        job_part whole = {sum_of(all.own, latest), all.turns};
        end = sum_of(max_i64(end, latency), part_time(x, task, &part));
        ends[i] = end = min_i64(end, part_time(x, task, &whole));
    }
}

/* Jobs of a context run one after the other. Each takes no longer than one that finds it idle, from its release or from
 * the end of the one before. */
static void context_responds(system_work *x, int task, int64_t *ends)
{
    const sys_task *of = &x->s->tasks[task];
    task_state *t = &x->tasks[task];
    int64_t jitter = t->release_max - t->release_min, before = 0, later = 0;
    job_ends(x, task, ends);
    int64_t job = t->release_max == SYS_UNBOUNDED ? SYS_UNBOUNDED : ends[of->step_count - 1];
    for (int64_t k = 1; job != SYS_UNBOUNDED; k++) {
        int64_t all = sum_of(before, job); /* of k jobs, from the release of the first */
        later = max_i64(later, before - max_i64(0, (k - 1) * of->period_ns - jitter));
        if (all <= k * of->period_ns - jitter)
            break;
        if (all > x->cap || k == MOST_JOBS)
            job = SYS_UNBOUNDED;
        before = all;
    }
    for (size_t i = 0; i < of->step_count; i++)
        gpu_set_end(x, task, i, job == SYS_UNBOUNDED ? SYS_UNBOUNDED : sum_of(ends[i], later));
    if (job == SYS_UNBOUNDED && t->why == WHY_BOUNDED) {
        t->why = t->release_max == SYS_UNBOUNDED ? WHY_RELEASE : WHY_OVERLOAD;
        t->other = t->release_max == SYS_UNBOUNDED ? of->trigger : SYS_NONE;
    }
}

/* All contexts, as often as their ends grow: others' ends say how many of their jobs may be there. */
void gpu_respond_by_slices(system_work *x)
{
    bool changed = true;
    find_loads(x);
    x->gpu_bounded = true;
    for (x->slice_rounds = 0; changed; x->slice_rounds++) {
        changed = false;
        for (size_t i = 0; i < x->s->task_count; i++) {
            task_state *t = &x->tasks[i];
            int64_t before = t->worst;
            if (t->on_core)
                continue;
            context_responds(x, (int)i, x->gpu_key);
            gpu_set_task(x, (int)i);
            changed |= t->worst != before;
        }
    }
    for (size_t i = 0; i < x->s->task_count; i++)
        if (!x->tasks[i].on_core && x->tasks[i].worst == SYS_UNBOUNDED) {
            x->gpu_bounded = false;
            if (!*x->gpu_why_not)
                snprintf(x->gpu_why_not, sizeof x->gpu_why_not,
                         "%.200s may need more than its turns on the GPU give it in a period", x->s->tasks[i].name);
        }
}
