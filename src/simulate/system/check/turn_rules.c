#include "simulate/system/check/turn_rules.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/system/check/job_rules.h"

/* A copy or a kernel of a job. */
typedef struct gpu_operation {
    const sys_job *job;
    int64_t ready_ns; /* it may start from here on */
    int64_t start_ns, end_ns;
} gpu_operation;

typedef struct turns {
    const sys_run *run;
    const job_slices *slices;
    gcast_error *err;
    VEC(gpu_operation) copies;
    VEC(gpu_operation) kernels; /* by context, then time */
    VEC(size_t) next;           /* by context: its first kernel that has not ended; one more at the end */
    uint32_t *context_of;       /* by task */
    int64_t *slice_ns;          /* by context: how long its slices are; 0: they have no end */
    uint32_t context_count;
} turns;

static bool is_kernel(const sys_run *run, const sys_slice *s)
{
    return run->of->tasks[run->jobs[s->job].task].steps[s->step].op.kind == GCAST_KIND_KERNEL;
}

/* The slices of one operation, from *at on: of the right length, none before it can start. */
static gcast_status check_operation(turns *x, const sys_job *job, size_t step, int64_t before, size_t *at, size_t end)
{
    const sys_step *of = &x->run->of->tasks[job->task].steps[step];
    const gcast_gpu *gpu = x->run->of->gpu;
    bool kernel = of->op.kind == GCAST_KIND_KERNEL;
    sys_range range = kernel ? of->alone : (sys_range){of->op.min_ns, of->op.max_ns};
    int64_t latency = kernel ? gpu->launch_latency_ns : gpu->copy_latency_ns, sum = 0;
    gpu_operation op = {.job = job, .ready_ns = max_i64(before, job->release_ns + latency), .start_ns = -1};
    for (; *at < end && x->slices->by_job[*at]->step == step; (*at)++) {
        const sys_slice *s = x->slices->by_job[*at];
        int64_t slice = x->slice_ns[x->context_of[job->task]];
        if (s->core != SYS_GPU || s->waits)
            return job_broken(x->run, job, "it runs on a core that is not its own", x->err);
        if (s->start_ns < max_i64(op.ready_ns, op.end_ns))
            return job_broken(x->run, job, "an operation starts before it can", x->err);
        if (kernel ? slice && s->end_ns - s->start_ns > slice : sum > 0)
            return job_broken(x->run, job, "a slice is longer than it may be, or a copy has several", x->err);
        op.start_ns = op.start_ns < 0 ? s->start_ns : op.start_ns;
        op.end_ns = s->end_ns;
        sum += s->end_ns - s->start_ns;
    }
    if (sum < max_i64(range.min_ns, 1) || sum > max_i64(range.max_ns, 1))
        return job_broken(x->run, job, "a step does not take as long as it may", x->err);
    bool ok = kernel ? vec_push(&x->kernels, op) : vec_push(&x->copies, op);
    return ok ? GCAST_OK : gcast_error_set_memory(x->err);
}

static gcast_status check_job(turns *x, size_t j)
{
    const sys_job *job = &x->run->jobs[j];
    size_t at = x->slices->first[j], end = x->slices->first[j + 1];
    int64_t before = job->number ? job[-1].end_ns : 0;
    if (job->end_ns < 0)
        return job_broken(x->run, job, "it never ends on the GPU", x->err);
    if (at == end || x->slices->by_job[at]->start_ns != job->start_ns)
        return job_broken(x->run, job, "it does not start with its first slice", x->err);
    for (size_t i = 0; i < x->run->of->tasks[job->task].step_count; i++) {
        gcast_status status = check_operation(x, job, i, before, &at, end);
        if (status != GCAST_OK)
            return status;
        before = x->slices->by_job[at - 1]->end_ns;
    }
    if (at < end)
        return job_broken(x->run, job, "its slices do not follow its steps", x->err);
    return before == job->end_ns ? GCAST_OK : job_broken(x->run, job, "it does not end when its steps do", x->err);
}

static int by_start(const void *a, const void *b)
{
    const gpu_operation *x = a, *y = b;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* One copy at a time, first come first served, and none waits while the engine is idle. */
static gcast_status check_copies(turns *x)
{
    int64_t before = 0, ready = 0;
    if (x->copies.count)
        qsort(x->copies.at, x->copies.count, sizeof *x->copies.at, by_start);
    for (size_t i = 0; i < x->copies.count; i++) {
        const gpu_operation *op = &x->copies.at[i];
        if (op->ready_ns < ready)
            return job_broken(x->run, op->job, "its copy comes after one that came later", x->err);
        if (op->start_ns != max_i64(op->ready_ns, before))
            return job_broken(x->run, op->job, "its copy does not start when the copy engine is free", x->err);
        ready = op->ready_ns;
        before = op->end_ns;
    }
    return GCAST_OK;
}

/* Has the context a kernel to run at `time`, since `since` or before? Times do not decrease. */
static bool has_kernel(turns *x, uint32_t context, size_t *at, int64_t time, int64_t since)
{
    size_t *k = &at[context], end = x->next.at[context + 1];
    while (*k < end && x->kernels.at[*k].end_ns <= time)
        (*k)++;
    return *k < end && x->kernels.at[*k].ready_ns <= since;
}

/* A slice of context `c` follows one of context `d`, which ended at `before`. */
static gcast_status check_turn(turns *x, const sys_slice *s, uint32_t c, uint32_t d, int64_t before, size_t *at)
{
    const sys_job *job = &x->run->jobs[s->job];
    bool first = d == x->context_count;
    int64_t time = s->start_ns - (first || c == d ? 0 : x->run->of->switch_ns);
    if (time < before)
        return job_broken(x->run, job, "its slice starts before the GPU has switched to it", x->err);
    for (uint32_t i = 0; time > before && i < x->context_count; i++)
        if (has_kernel(x, i, at, time, time - 1))
            return job_broken(x->run, job, "a kernel waits while the GPU is idle", x->err);
    for (uint32_t i = first ? 0 : (d + 1) % x->context_count; i != c; i = (i + 1) % x->context_count)
        if (has_kernel(x, i, at, time, time))
            return job_broken(x->run, job, "it takes the turn of another context", x->err);
    return GCAST_OK;
}

static gcast_status check_turns(turns *x)
{
    size_t *at = malloc((x->context_count + 1) * sizeof *at);
    if (!at)
        return gcast_error_set_memory(x->err);
    for (uint32_t i = 0; i < x->context_count; i++)
        at[i] = x->next.at[i];
    gcast_status status = GCAST_OK;
    uint32_t d = x->context_count;
    int64_t before = 0;
    for (size_t i = 0; i < x->run->slice_count && status == GCAST_OK; i++) {
        const sys_slice *s = &x->run->slices[i];
        if (s->core != SYS_GPU || !is_kernel(x->run, s))
            continue;
        uint32_t c = x->context_of[x->run->jobs[s->job].task];
        status = check_turn(x, s, c, d, before, at);
        d = c;
        before = s->end_ns;
    }
    free(at);
    return status;
}

static gcast_status check_all(turns *x)
{
    const sys_run *run = x->run;
    size_t j = 0;
    gcast_status status = GCAST_OK;
    for (size_t t = 0; t < run->of->task_count; t++) {
        bool on_gpu = run->places[t].core == SYS_GPU;
        if (on_gpu) {
            int64_t own = run->of->tasks[t].slice_ns;
            x->slice_ns[x->context_count] = own > 0 ? own : run->of->slice_ns;
            x->context_of[t] = x->context_count++;
            if (!vec_push(&x->next, x->kernels.count))
                return gcast_error_set_memory(x->err);
        }
        for (; j < run->job_count && run->jobs[j].task == (int)t && status == GCAST_OK; j++)
            if (on_gpu)
                status = check_job(x, j);
    }
    if (status == GCAST_OK && !vec_push(&x->next, x->kernels.count))
        return gcast_error_set_memory(x->err);
    if (status == GCAST_OK)
        status = check_copies(x);
    return status == GCAST_OK ? check_turns(x) : status;
}

gcast_status turn_rules_check(const sys_run *run, const job_slices *slices, gcast_error *err)
{
    turns x = {.run = run, .slices = slices, .err = err};
    x.context_of = calloc(run->of->task_count + 1, sizeof *x.context_of);
    x.slice_ns = calloc(run->of->task_count + 1, sizeof *x.slice_ns);
    gcast_status status = x.context_of && x.slice_ns ? check_all(&x) : gcast_error_set_memory(err);
    free(x.context_of);
    free(x.slice_ns);
    vec_free(&x.copies);
    vec_free(&x.kernels);
    vec_free(&x.next);
    return status;
}
