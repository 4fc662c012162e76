/* Ends of operations on the GPU: of one context by the methods for workloads, of contexts with time slices by lemma 12
 * of docs/amalthea.md. */
#include "analyze/system/gpu_response.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/call_latency.h"
#include "analyze/system/core_response.h"
#include "analyze/system/gpu_cache.h"
#include "model/system.h"

#define FREE_ROUNDS 16 /* rounds in which ends may still shrink */

/* Time slices. */
#define MOST_STEPS 100000 /* of the iteration for one window */
#define MOST_JOBS 4096    /* of one context in a row */
#define FEW_ROUNDS 100    /* after these, the number of other contexts' jobs no longer limits, so that ends converge */

/* Sets the end of a step on the GPU, from the task's release. Bounds of a workload may shrink a little where its
 * releases vary more. After some rounds the larger bound is kept, so that times only grow and the iteration ends. */
static void gpu_set_end(system_work *x, int task, size_t step, int64_t own_end)
{
    const task_state *t = &x->tasks[task];
    step_state *s = &x->steps[t->first_step + step];
    bool only_grows = x->s->sharing == SYS_SLICES || x->gpu_rounds > FREE_ROUNDS;
    s->own_end = only_grows ? max_i64(s->own_end, own_end) : own_end;
    s->end_max = sum_of(t->release_max, s->own_end);
}

/* Sets the end of a task to that of its last step, and marks the task that waits for it. */
static void gpu_set_task(system_work *x, int task)
{
    task_state *t = &x->tasks[task];
    const step_state *last = &x->steps[t->first_step + x->s->tasks[task].step_count - 1];
    if (t->worst == last->end_max && t->own_worst == last->own_end)
        return;
    t->worst = last->end_max;
    t->own_worst = last->own_end;
    task_changed(x, task);
}

/* Makes all ends of a task on the GPU unbounded. */
static void lose_bounds(system_work *x, int task, why_not why)
{
    task_state *t = &x->tasks[task];
    if (t->worst != SYS_UNBOUNDED) {
        t->why = t->release_max == SYS_UNBOUNDED ? WHY_RELEASE : why;
        t->other = t->release_max == SYS_UNBOUNDED ? x->s->tasks[task].trigger : SYS_NONE;
    }
    for (size_t k = 0; k < x->s->tasks[task].step_count; k++)
        gpu_set_end(x, task, k, SYS_UNBOUNDED);
    gpu_set_task(x, task);
}

/* A task without a bound on its releases may be called so often that no task on the GPU has a bound. */
static bool lose_unreleased(system_work *x)
{
    int unreleased = SYS_NONE;
    for (size_t i = 0; i < x->s->task_count && unreleased == SYS_NONE; i++)
        if (!x->tasks[i].on_core && x->tasks[i].release_max == SYS_UNBOUNDED)
            unreleased = (int)i;
    if (unreleased == SYS_NONE)
        return false;
    for (size_t i = 0; i < x->s->task_count; i++)
        if (!x->tasks[i].on_core)
            lose_bounds(x, (int)i, WHY_GPU);
    if (!*x->gpu_why_not)
        snprintf(x->gpu_why_not, sizeof x->gpu_why_not, "no bound is known for the release of %.200s",
                 x->s->tasks[unreleased].name);
    x->gpu_bounded = false;
    return true;
}

static void set_ends(system_work *x, const gpu_ends *ends)
{
    size_t op = 0;
    x->gpu_bounded = true;
    x->gpu_conditional = ends->conditional;
    for (size_t i = 0; i < x->s->task_count; i++) {
        task_state *t = &x->tasks[i];
        if (t->on_core)
            continue;
        for (size_t k = 0; k < x->s->tasks[i].step_count; k++) {
            int64_t worst = ends->worst[op++];
            if (worst == GCAST_NO_BOUND && t->why == WHY_BOUNDED)
                t->why = WHY_GPU;
            x->gpu_bounded &= worst != GCAST_NO_BOUND;
            gpu_set_end(x, (int)i, k, worst);
        }
        gpu_set_task(x, (int)i);
    }
    if (!x->gpu_bounded && !*x->gpu_why_not)
        snprintf(x->gpu_why_not, sizeof x->gpu_why_not, "%s",
                 *ends->why_not ? ends->why_not : "some operations may wait forever");
}

/* The times of a task of the workload that is released in this range after its root. */
static gcast_task task_times_of(const sys_system *s, const sys_task *def, sys_range release)
{
    const sys_task *root = &s->tasks[def->root];
    return (gcast_task){.period_ns = def->period_ns,
                        .offset_ns = root->offset_ns + release.min_ns,
                        .jitter_ns = release.max_ns - release.min_ns,
                        .sporadic = root->arrival == SYS_SPORADIC};
}

gcast_status gpu_workload_make(const sys_system *s, const sys_place *places, const sys_range *releases,
                               gcast_workload **w, int *index, gcast_error *err)
{
    int count = 0;
    gcast_status status = gcast_workload_create(s->name, w, err);
    for (size_t i = 0; i < s->task_count && status == GCAST_OK; i++) {
        if (places[i].core != SYS_GPU)
            continue;
        sys_range at_once = {0, 0};
        if (index)
            index[count] = (int)i;
        gcast_task when = task_times_of(s, &s->tasks[i], releases ? releases[i] : at_once);
        status = system_add_gpu_task(s, &places[i], &s->tasks[i], &when, count++, *w, err);
    }
    if (status != GCAST_OK) {
        gcast_workload_free(*w);
        *w = NULL;
    }
    return status;
}

gcast_status system_gpu_workload(const sys_system *s, const sys_place *places, const sys_task_answer *tasks,
                                 gcast_workload **w, int *index, gcast_error *err)
{
    *w = NULL;
    if (!s->gpu)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the system has no GPU");
    if (!places)
        places = s->places;
    gcast_status status = system_check_places(s, places, err);
    if (status != GCAST_OK)
        return status;
    sys_range *releases = tasks ? malloc((s->task_count + 1) * sizeof *releases) : NULL;
    if (tasks && !releases)
        return gcast_error_set_memory(err);
    for (size_t i = 0; tasks && i < s->task_count; i++) {
        releases[i] = (sys_range){tasks[i].release_min_ns, tasks[i].release_max_ns};
        if (places[i].core == SYS_GPU && tasks[i].release_max_ns == SYS_UNBOUNDED)
            status = gcast_error_set(err, GCAST_NO, NULL, "no bound is known for the release of %s", s->tasks[i].name);
    }
    if (status == GCAST_OK)
        status = gpu_workload_make(s, places, releases, w, index, err);
    free(releases);
    return status;
}

/* Lemma 12: the contexts of the GPU take turns by time slices; each task on it is a context. */

/* One or several operations of a job. */
typedef struct job_part {
    int64_t own;   /* copies and kernels, waits of copies, and switches to the context */
    int64_t turns; /* time slices of kernels */
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

/* How many slices a step takes; a copy takes none. */
static int64_t turns_of(const system_work *x, int task, const sys_step *step)
{
    int64_t slice = slice_of(x, task);
    return step->op.kind != GCAST_KIND_KERNEL ? 0 : slice ? div_up(time_of(step), slice) : 1;
}

static context_load load_of(const system_work *x, int task)
{
    const sys_task *def = &x->s->tasks[task];
    context_load l = {0};
    for (size_t i = 0; i < def->step_count; i++) {
        const sys_step *step = &def->steps[i];
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

/* The most that other contexts can run in a window of length w in which this one has `turns` turns: each runs at most
 * one slice for a turn, and at most the work of its jobs that can be pending. */
static int64_t others_run(const system_work *x, int task, int64_t turns, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < x->s->task_count && turns; i++) {
        const task_state *t = &x->tasks[i];
        const context_load *l = &x->loads[i];
        if (t->on_core || (int)i == task || !l->has_kernels)
            continue;
        int64_t span = sum_of(w, minus(t->worst, t->release_min));
        int64_t by_turns = product_of(turns, sum_of(l->slice, switch_of(x))), by_jobs = SYS_UNBOUNDED;
        if (span < TIME_LIMIT && x->slice_rounds < FEW_ROUNDS)
            by_jobs = product_of(div_up(span, x->s->tasks[i].period_ns), l->work);
        sum = sum_of(sum, min_i64(by_turns, by_jobs));
    }
    return sum;
}

/* The longest time of a part of a job after the parts before it have ended. */
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

/* The latest ends of the operations of a job that finds its context idle, from its release. */
static void job_ends(system_work *x, int task, int64_t *ends)
{
    const sys_task *def = &x->s->tasks[task];
    int64_t other_copies = 0, end = 0, latest = 0;
    bool switches = false;
    job_part all = {0};
    for (size_t i = 0; i < x->s->task_count; i++)
        if (!x->tasks[i].on_core && (int)i != task) {
            other_copies = sum_of(other_copies, x->loads[i].copy);
            switches |= x->loads[i].has_kernels;
        }
    for (size_t i = 0; i < def->step_count; i++) {
        const sys_step *step = &def->steps[i];
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

/* Jobs of a context run one after the other. Each takes at most as long as one that finds its context idle, counted
 * from its release or from the end of the previous job. */
static void context_responds(system_work *x, int task, int64_t *ends)
{
    const sys_task *def = &x->s->tasks[task];
    task_state *t = &x->tasks[task];
    int64_t jitter = t->release_max - t->release_min, before = 0, later = 0;
    job_ends(x, task, ends);
    int64_t job = t->release_max == SYS_UNBOUNDED ? SYS_UNBOUNDED : ends[def->step_count - 1];
    for (int64_t k = 1; job != SYS_UNBOUNDED; k++) {
        int64_t all = sum_of(before, job); /* k jobs, from the release of the first */
        later = max_i64(later, before - max_i64(0, (k - 1) * def->period_ns - jitter));
        if (all <= k * def->period_ns - jitter)
            break;
        if (all > x->cap || k == MOST_JOBS)
            job = SYS_UNBOUNDED;
        before = all;
    }
    for (size_t i = 0; i < def->step_count; i++)
        gpu_set_end(x, task, i, job == SYS_UNBOUNDED ? SYS_UNBOUNDED : sum_of(ends[i], later));
    if (job == SYS_UNBOUNDED && t->why == WHY_BOUNDED) {
        t->why = t->release_max == SYS_UNBOUNDED ? WHY_RELEASE : WHY_OVERLOAD;
        t->other = t->release_max == SYS_UNBOUNDED ? def->trigger : SYS_NONE;
    }
}

/* Repeats all contexts until no end grows: the ends of other contexts limit how many of their jobs can be pending. */
static void gpu_respond_by_slices(system_work *x)
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
                         "%.200s may need more than its time slices on the GPU give it in a period",
                         x->s->tasks[i].name);
        }
}

void gpu_respond(system_work *x)
{
    const gpu_ends *ends;
    x->gpu_rounds++;
    if (x->s->sharing == SYS_SLICES) {
        gpu_respond_by_slices(x);
    } else if (!lose_unreleased(x)) {
        x->status = gpu_cache_find(x->cache, x, &ends);
        if (x->status == GCAST_OK)
            set_ends(x, ends);
    }
}
