/* A workload in the model of the thesis: does that fit, and what are C, g and g_max? Of workloads that pass here
 * algorithm 2 gives what the simulator gives: equal blocks fit wherever a slot is free, so that one SM is as good as
 * another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "gridcast/thesis.h"
#include "model/gpu/carveout.h"
#include "model/gpu/level.h"
#include "model/workload/policy.h"
#include "simulate/blocks/sm.h"
#include "simulate/blocks/starve.h"

typedef struct owned_thesis {
    gcast_thesis t;               /* first, so that a gcast_thesis is its handle */
    arena memory;                 /* of all that `t` points to */
    gcast_thesis_kernel *kernels; /* t.kernels */
    size_t *ops;                  /* t.ops */
    char why_not[512];            /* t.why_not, where it names an op or a task */
} owned_thesis;

static const char *refuse(owned_thesis *o, const char *label, const char *why)
{
    snprintf(o->why_not, sizeof o->why_not, "%.200s%s", label, why);
    return o->why_not;
}

static bool same_shape(const gcast_block_shape *a, const gcast_block_shape *b)
{
    return a->threads == b->threads && a->registers == b->registers && a->barriers == b->barriers &&
           a->static_smem + a->dynamic_smem == b->static_smem + b->dynamic_smem;
}

static const char *check_op(owned_thesis *o, const gcast_workload *w, const gcast_op *op)
{
    if (op->kind != GCAST_KIND_KERNEL)
        return refuse(o, op->label, " is not a kernel, and the thesis has only kernels");
    if (op->host != GCAST_NO_HOST || op->skip_ns != GCAST_NEVER)
        return refuse(o, op->label, " belongs to a host thread, and when that calls is not known to the thesis");
    if (op->block_ns || op->min_ns != op->max_ns)
        return refuse(o, op->label, " has blocks of different durations, and those of the thesis are equal and fixed");
    if (op->mask != GCAST_ALL_SMS)
        return refuse(o, op->label, " may use some SMs only, and the thesis takes all SMs as one");
    if (!same_shape(&op->shape, &w->ops[0].shape))
        return refuse(o, op->label, " has blocks of another shape than the others, and those of the thesis are alike");
    return NULL;
}

static const char no_memory[] = ""; /* its address distinguishes it from reasons */

/* One kernel per stream, one priority, one process, and no stream waits for another. Without the NULL stream kernels
 * enter the EE queue in the order of their calls, also through connections that they share. */
static const char *check_streams(owned_thesis *o, const gcast_workload *w, const gcast_gpu *gpu)
{
    const gcast_stream *first = &w->streams[w->ops[0].stream];
    bool *used = arena_alloc_array(&o->memory, w->stream_count, sizeof *used);
    if (!used)
        return no_memory;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_stream *s = &w->streams[w->ops[i].stream];
        if (used[w->ops[i].stream])
            return refuse(o, w->ops[i].label,
                          " shares its stream with another kernel, and the thesis has one per stream");
        if (level_of_priority(gpu, s->priority) != level_of_priority(gpu, first->priority))
            return refuse(o, w->ops[i].label, " has another priority than the others, and the thesis has one");
        if (s->process != first->process)
            return refuse(o, w->ops[i].label, " is of another process, and how processes share a GPU is not predicted");
        if (s->id == 0 && w->op_count > 1)
            return refuse(o, w->ops[i].label, " is in the NULL stream, whose rules the thesis has not");
        used[w->ops[i].stream] = true;
    }
    return NULL;
}

static const char *check_tasks(owned_thesis *o, const gcast_workload *w)
{
    if (w->task_count && w->once_count)
        return refuse(o, w->ops[0].label, " runs once beside tasks, and the thesis has tasks of one period");
    for (size_t i = 0; i < w->task_count; i++) {
        const gcast_task *t = &w->tasks[i];
        if (t->period_ns != w->tasks[0].period_ns)
            return refuse(o, t->name,
                          " has another period than the others, so that jobs meet in other ways than at their first "
                          "release, which is all that the thesis looks at");
        if (t->jitter_ns)
            return refuse(o, t->name, " has jitter, and the thesis has fixed releases");
    }
    return NULL;
}

static const char *check(owned_thesis *o, const gcast_workload *w, const gcast_gpu *gpu)
{
    const char *why = w->op_count ? check_tasks(o, w) : "there are no kernels";
    for (size_t i = 0; i < w->op_count && !why; i++)
        why = check_op(o, w, &w->ops[i]);
    if (why || (why = check_streams(o, w, gpu)))
        return why;
    if (gpu->limits.resident_grids && w->op_count > (size_t)gpu->limits.resident_grids)
        return "there are more kernels than the GPU lets run at a time, a limit that the thesis has not";
    if (starve_happens(gpu, w))
        return "blocks in which every thread spins end late beside others on this GPU, which the thesis has not";
    if (carveout_matters(gpu, w))
        return "a kernel has carveout driver, and others may then wait until an SM is empty, which the thesis has not";
    sm_demand d = sm_demand_of(gpu, &w->ops[0]);
    if (!d.max_blocks)
        return "a block does not fit on an SM";
    if (!d.fills_quarters)
        return "a block's warps do not divide by four, so that how many blocks an SM holds depends on which came "
               "before";
    return NULL;
}

static int64_t job_release(const gcast_workload *w, const gcast_op *op)
{
    return op->task == GCAST_ONCE ? 0 : w->tasks[op->task].offset_ns;
}

typedef struct launch {
    int64_t call_ns;
    int64_t job_release_ns;
    size_t op; /* of the workload */
} launch;

/* As calls are made: by time; of one time by the release of the job, then in file order. */
static int by_call(const void *a, const void *b)
{
    const launch *x = a, *y = b;
    if (x->call_ns != y->call_ns)
        return x->call_ns < y->call_ns ? -1 : 1;
    if (x->job_release_ns != y->job_release_ns)
        return x->job_release_ns < y->job_release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static bool fill(owned_thesis *o, const gcast_workload *w, const gcast_gpu *gpu)
{
    size_t n = w->op_count;
    launch *launches = arena_alloc_array(&o->memory, n, sizeof *launches);
    o->kernels = arena_alloc_array(&o->memory, n, sizeof *o->kernels);
    o->ops = arena_alloc_array(&o->memory, n, sizeof *o->ops);
    if (!launches || !o->kernels || !o->ops)
        return false;
    for (size_t i = 0; i < n; i++)
        launches[i] = (launch){job_release(w, &w->ops[i]) + w->ops[i].release_ns, job_release(w, &w->ops[i]), i};
    qsort(launches, n, sizeof *launches, by_call);
    for (size_t i = 0; i < n; i++) {
        const gcast_op *op = &w->ops[launches[i].op];
        o->ops[i] = launches[i].op;
        o->kernels[i] = (gcast_thesis_kernel){op->max_ns, op->blocks, launches[i].call_ns + gpu->launch_latency_ns};
    }
    sm_demand d = sm_demand_of(gpu, &w->ops[0]);
    o->t.pool = (gcast_thesis_pool){(uint32_t)gpu->sms * d.max_blocks, gpu->handover_ns, gpu->switch_ns};
    o->t.kernels = o->kernels;
    o->t.ops = o->ops;
    o->t.count = n;
    o->t.threads = w->ops[0].shape.threads;
    o->t.total_threads = (int64_t)gpu->sms * gpu->limits.threads_per_sm;
    o->t.latency_ns = gpu->launch_latency_ns;
    o->t.period_ns = w->task_count ? w->tasks[0].period_ns : 0;
    return true;
}

gcast_status gcast_thesis_create(const gcast_workload *w, const gcast_gpu *gpu, gcast_thesis **out, gcast_error *err)
{
    gcast_status status = policy_refuse(w, "the thesis does not cover it", err);
    if (status != GCAST_OK)
        return status;
    owned_thesis *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->t.memory = o;
    o->t.why_not = check(o, w, gpu);
    if (o->t.why_not == no_memory || (!o->t.why_not && !fill(o, w, gpu))) {
        gcast_thesis_free(&o->t);
        return gcast_error_set_memory(err);
    }
    *out = &o->t;
    return GCAST_OK;
}

void gcast_thesis_free(gcast_thesis *t)
{
    if (!t)
        return;
    owned_thesis *o = t->memory;
    arena_free(&o->memory);
    free(o);
}
