/* Makes a workload a task set of the thesis, if its model fits: finds the first calls of kernels, and C, g and g_max.
 * For workloads that pass here, algorithm 2 agrees with the simulator: equal blocks fit wherever a slot is free, so all
 * SMs are equally good. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/integers.h"
#include "gridcast/workload.h"
#include "model/gpu.h"
#include "model/occupancy.h"
#include "model/workload/attributes.h"
#include "papers/thesis/thesis.h"
#include "simulate/blocks/delays.h"
#include "simulate/blocks/sm.h"

/* The first call of a kernel. */
typedef struct first_call {
    int64_t call_ns;        /* when the call is made */
    int64_t job_release_ns; /* release of its job; 0 without a task */
    size_t op;              /* index in the workload */
} first_call;

static const char is_skipped[] = " is skipped, because it is due too late";

/* A host thread up to the current op. */
typedef struct host_state {
    int64_t returned_ns; /* when its last call returned */
    bool waits;          /* one of its calls waits, until an unknown time */
} host_state;

/* Finds the time of a host's call; returns NULL, or why it is unknown. */
static const char *host_call(host_state *h, const gcast_op *op, int64_t *call_ns)
{
    if (h->waits)
        return " is called after its host thread has waited; the thesis does not cover such waits";
    if (!checked_add(h->returned_ns, op->delay_ns, call_ns))
        return " is called later than 64-bit nanoseconds hold";
    *call_ns = max_i64(*call_ns, op->release_ns);
    if (*call_ns >= op->skip_ns)
        return is_skipped;
    h->returned_ns = *call_ns;
    h->waits = op->host_waits;
    return NULL;
}

static int by_call(const void *a, const void *b)
{
    const first_call *x = a, *y = b;
    if (x->call_ns != y->call_ns)
        return x->call_ns < y->call_ns ? -1 : 1;
    if (x->job_release_ns != y->job_release_ns)
        return x->job_release_ns < y->job_release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Adds the call of an op; returns NULL, or why the thesis does not cover it. A wait at the end of a host thread delays
 * nothing. */
static const char *add_call(const gcast_workload *w, size_t op_index, host_state *hosts, first_call *c, bool *is_call)
{
    const gcast_op *op = &w->ops[op_index];
    *is_call = op->kind == GCAST_KIND_KERNEL;
    if (op->kind == GCAST_KIND_SYNC && op->host != GCAST_NO_HOST) {
        hosts[op->host].waits = true;
        return NULL;
    }
    if (!*is_call)
        return " is not a kernel; the thesis covers only kernels";
    c->op = op_index;
    c->job_release_ns = op->task == GCAST_ONCE ? 0 : w->tasks[op->task].offset_ns;
    c->call_ns = c->job_release_ns + op->release_ns;
    if (op->host != GCAST_NO_HOST)
        return host_call(&hosts[op->host], op, &c->call_ns);
    return c->call_ns >= op->skip_ns ? is_skipped : NULL;
}

/* Finds the first calls of all kernels, without a simulation, and sorts them: by time, then by the release of the job,
 * then in file order. *why_not is NULL, or continues the label of the op *refused with the reason. False without
 * memory. */
static bool find_first_calls(const gcast_workload *w, arena *memory, first_call **calls, size_t *count, size_t *refused,
                             const char **why_not)
{
    host_state *hosts = arena_alloc_array(memory, w->host_count + 1, sizeof *hosts);
    *calls = arena_alloc_array(memory, w->op_count + 1, sizeof **calls);
    if (!hosts || !*calls)
        return false;
    *count = 0;
    *why_not = NULL;
    for (size_t i = 0; i < w->op_count && !*why_not; i++) {
        bool is_call;
        *refused = i;
        *why_not = add_call(w, i, hosts, &(*calls)[*count], &is_call);
        *count += is_call;
    }
    if (*count)
        qsort(*calls, *count, sizeof **calls, by_call);
    return true;
}

typedef struct owned_thesis {
    gcast_thesis t;               /* first, so that a gcast_thesis is its handle */
    arena memory;                 /* of all that `t` points to */
    gcast_thesis_kernel *kernels; /* t.kernels */
    size_t *ops;                  /* t.ops */
    int64_t *periods_ns;          /* t.periods_ns */
    char why_not[512];            /* t.why_not, if it names an op or a task */
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

/* Checks a kernel, whose blocks must be like those of `first`. */
static const char *check_kernel(owned_thesis *o, const gcast_op *op, const gcast_op *first)
{
    if (op->after_count)
        return refuse(o, op->label, " depends on another kernel; the thesis covers only independent kernels");
    if (op->extra_latency_ns)
        return refuse(o, op->label, " has a latency of its own; the thesis needs one latency for all");
    if (op->block_ns || op->min_ns != op->max_ns)
        return refuse(o, op->label, " has blocks of different durations; the thesis needs equal, fixed durations");
    if (op->mask != GCAST_ALL_SMS)
        return refuse(o, op->label, " may use some SMs only; the thesis treats all SMs as one");
    if (!same_shape(&op->shape, &first->shape))
        return refuse(o, op->label, " has blocks of another shape than other kernels; the thesis needs one shape");
    return NULL;
}

static const char no_memory[] = ""; /* its address distinguishes it from reasons */

/* Checks that there is one kernel per stream, one priority, one process, and that no stream waits for another. Without
 * the NULL stream, kernels enter the EE queue in the order of their calls, even through shared connections. */
static const char *check_streams(owned_thesis *o, const gcast_workload *w, const gcast_gpu *gpu,
                                 const first_call *calls, size_t count)
{
    const gcast_stream *first = &w->streams[w->ops[calls[0].op].stream];
    bool *used = arena_alloc_array(&o->memory, w->stream_count, sizeof *used);
    if (!used)
        return no_memory;
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &w->ops[calls[i].op];
        const gcast_stream *s = &w->streams[op->stream];
        if (used[op->stream])
            return refuse(o, op->label,
                          " shares its stream with another kernel; the thesis needs one kernel per stream");
        if (level_of_priority(gpu, s->priority) != level_of_priority(gpu, first->priority))
            return refuse(o, op->label, " has another priority than other kernels; the thesis needs one priority");
        if (s->process != first->process)
            return refuse(o, op->label,
                          " belongs to another process; gridcast does not predict how processes share a GPU");
        if (s->id == 0 && count > 1)
            return refuse(o, op->label, " is in the NULL stream, whose rules the thesis does not cover");
        used[op->stream] = true;
    }
    return NULL;
}

static const char *check_tasks(owned_thesis *o, const gcast_workload *w)
{
    for (size_t i = 0; i < w->task_count; i++)
        if (w->tasks[i].jitter_ns || w->tasks[i].sporadic)
            return refuse(o, w->tasks[i].name,
                          w->tasks[i].sporadic ? " is sporadic; the thesis needs fixed releases"
                                               : " has jitter; the thesis needs fixed releases");
    return NULL;
}

static const char *check_gpu(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *first, size_t count)
{
    if (gpu->limits.resident_grids && count > (size_t)gpu->limits.resident_grids)
        return "there are more kernels than the GPU runs at a time; the thesis does not cover this limit";
    if (starve_happens(gpu, w))
        return "blocks in which every thread spins end late beside others on this GPU; the thesis does not cover this";
    if (carveout_matters(gpu, w))
        return "a kernel has carveout driver: others may then wait until an SM is empty; the thesis does not cover "
               "this";
    sm_demand d = sm_demand_of(gpu, first);
    if (!d.max_blocks)
        return "a block does not fit on an SM";
    if (!d.fills_quarters)
        return "the number of a block's warps is not a multiple of four, so the number of blocks on an SM depends on "
               "earlier blocks";
    return NULL;
}

/* Returns NULL and the calls of all kernels if the thesis applies, else why not. */
static const char *check(owned_thesis *o, const gcast_workload *w, const gcast_gpu *gpu, first_call **calls,
                         size_t *count)
{
    size_t refused;
    const char *why = check_tasks(o, w);
    if (why)
        return why;
    if (!find_first_calls(w, &o->memory, calls, count, &refused, &why))
        return no_memory;
    if (why)
        return refuse(o, w->ops[refused].label, why);
    if (!*count)
        return "there are no kernels";
    for (size_t i = 0; i < w->op_count && !why; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            why = check_kernel(o, &w->ops[i], &w->ops[(*calls)[0].op]);
    if (!why)
        why = check_streams(o, w, gpu, *calls, *count);
    return why ? why : check_gpu(w, gpu, &w->ops[(*calls)[0].op], *count);
}

static int64_t period_of(const gcast_workload *w, const int64_t *periods_ns, size_t op)
{
    if (w->ops[op].task != GCAST_ONCE)
        return w->tasks[w->ops[op].task].period_ns;
    return periods_ns ? periods_ns[op] : 0;
}

/* Makes the task set of the thesis; false without memory. */
static bool fill(owned_thesis *o, const gcast_workload *w, const gcast_gpu *gpu, const int64_t *periods_ns,
                 const first_call *calls, size_t n)
{
    const gcast_op *first = &w->ops[calls[0].op];
    o->kernels = arena_alloc_array(&o->memory, n, sizeof *o->kernels);
    o->ops = arena_alloc_array(&o->memory, n, sizeof *o->ops);
    o->periods_ns = arena_alloc_array(&o->memory, n, sizeof *o->periods_ns);
    if (!o->kernels || !o->ops || !o->periods_ns)
        return false;
    for (size_t i = 0; i < n; i++) {
        const gcast_op *op = &w->ops[calls[i].op];
        o->ops[i] = calls[i].op;
        o->kernels[i] = (gcast_thesis_kernel){op->max_ns, op->blocks, calls[i].call_ns + gpu->launch_latency_ns};
        o->periods_ns[i] = period_of(w, periods_ns, calls[i].op);
        o->t.period_count += o->periods_ns[i] > 0;
    }
    o->t.pool =
        (gcast_thesis_pool){(uint32_t)gpu->sms * sm_demand_of(gpu, first).max_blocks, gpu->handover_ns, gpu->switch_ns};
    o->t.kernels = o->kernels;
    o->t.ops = o->ops;
    o->t.periods_ns = o->periods_ns;
    o->t.count = n;
    o->t.threads = first->shape.threads;
    o->t.total_threads = (int64_t)gpu->sms * gpu->limits.threads_per_sm;
    o->t.latency_ns = gpu->launch_latency_ns;
    return true;
}

/* Computes f, R, u and U_t; returns NULL, or why not, such as times that do not fit in 64 bits. */
static const char *compute(owned_thesis *o)
{
    gcast_error err;
    gcast_thesis *t = &o->t;
    int64_t *f = arena_alloc_array(&o->memory, t->count, sizeof *f);
    int64_t *r = arena_alloc_array(&o->memory, t->count, sizeof *r);
    int64_t *u = arena_alloc_array(&o->memory, t->count, sizeof *u);
    if (!f || !r || !u)
        return no_memory;
    gcast_status status = gcast_thesis_completions(&t->pool, t->kernels, t->count, NULL, f, NULL, &err);
    if (status == GCAST_OK)
        status =
            gcast_thesis_utilisation(t->kernels, t->periods_ns, t->count, t->threads, u, &t->total_utilisation, &err);
    if (status != GCAST_OK)
        return status == GCAST_RESOURCE ? no_memory : refuse(o, "", err.message);
    for (size_t i = 0; i < t->count; i++)
        r[i] = f[i] - (t->kernels[i].release_ns - t->latency_ns);
    t->completions_ns = f;
    t->responses_ns = r;
    t->utilisations = u;
    return NULL;
}

gcast_status gcast_thesis_create(const gcast_workload *w, const gcast_gpu *gpu, const int64_t *periods_ns,
                                 gcast_thesis **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !gpu || !out)
        return argument_missing(err);
    first_call *calls;
    size_t count;
    gcast_status status = attributes_refuse_special(w, "the thesis does not cover it", err);
    if (status != GCAST_OK)
        return status;
    owned_thesis *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->t.memory = o;
    o->t.why_not = check(o, w, gpu, &calls, &count);
    if (!o->t.why_not)
        o->t.why_not = fill(o, w, gpu, periods_ns, calls, count) ? compute(o) : no_memory;
    if (o->t.why_not == no_memory) {
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
