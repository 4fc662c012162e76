/* Only what a programmer decides is changed: streams, priorities, calls, the demand of a block; not the GPU. */
#include "analyze/advice/remedy_candidates.h"

#include <stdlib.h>

#include "analyze/advice/remedy_apply.h"
#include "base/minmax.h"
#include "model/gpu/level.h"

#define MAX_CONNECTIONS 32 /* that CUDA_DEVICE_MAX_CONNECTIONS sets */
#define MIN_THREADS 32
#define MIN_REGISTERS 16
#define MIN_SHARED 1024

typedef struct collecting {
    const gcast_run *run;   /* the run of the pair */
    const gcast_pair *pair; /* whose waits are to be shorter */
    remedy_candidates *out; /* the candidates so far */
    int series;             /* of the candidates that are added now */
    bool failed;            /* there was no memory */
} collecting;

static const gcast_op *op_of(const collecting *k, size_t run_op)
{
    return &k->run->workload->ops[k->run->ops[run_op].op];
}

static bool changes_stream(gcast_change_kind kind)
{
    return kind == GCAST_CHANGE_NON_BLOCKING || kind == GCAST_CHANGE_PRIORITY;
}

static bool is_equal(const collecting *k, const gcast_change *a, const gcast_change *b)
{
    const gcast_op *ops = k->run->workload->ops;
    return a->kind == b->kind && a->value == b->value &&
           (changes_stream(a->kind) ? ops[a->op].stream == ops[b->op].stream : a->op == b->op);
}

static void add(collecting *k, gcast_change_kind kind, size_t op, int64_t value)
{
    gcast_change c = {kind, op, value};
    for (size_t i = 0; i < k->out->count; i++)
        if (is_equal(k, &k->out->at[i].change, &c))
            return;
    if (!vec_push(k->out, ((remedy_candidate){c, k->series})))
        k->failed = true;
}

/* Children are not changed: what they are follows from their parents. */
static void add_op(collecting *k, gcast_change_kind kind, size_t run_op, int64_t value)
{
    if (run_op < k->run->op_count)
        add(k, kind, k->run->ops[run_op].op, value);
}

static void add_stream(collecting *k, gcast_change_kind kind, size_t run_op, int64_t value)
{
    k->series++;
    add_op(k, kind, run_op, value);
}

/* Ops of a task move together, so that two of one task stay in one stream. */
static void own_stream(collecting *k, size_t run_op)
{
    int task = op_of(k, run_op)->task;
    if (op_of(k, run_op)->graph != GCAST_NO_GRAPH)
        return; /* the nodes of a graph are of one stream */
    if (task != GCAST_ONCE && op_of(k, k->pair->earlier)->task == task && op_of(k, k->pair->later)->task == task)
        return;
    k->series++;
    add_op(k, GCAST_CHANGE_OWN_STREAM, run_op, 0);
}

/* The priority that the GPU gives it: from 0, the lowest, down to the highest. */
static int priority_of(const collecting *k, size_t run_op)
{
    const gcast_gpu *gpu = k->run->gpu;
    int level = level_of_priority(gpu, k->run->workload->streams[op_of(k, run_op)->stream].priority);
    return level + 1 - gpu->priority_levels;
}

/* Raises the stream that waits above the other or, where that is the highest, lowers the other. `equal_is_enough`: it
 * need not be above. */
static void change_priority(collecting *k, size_t waiting, size_t other, bool equal_is_enough)
{
    int highest = 1 - k->run->gpu->priority_levels, wanted = priority_of(k, other) - !equal_is_enough;
    if (op_of(k, waiting)->stream == op_of(k, other)->stream)
        return;
    if (wanted >= highest)
        add_stream(k, GCAST_CHANGE_PRIORITY, waiting, wanted);
    else if (priority_of(k, waiting) < 0)
        add_stream(k, GCAST_CHANGE_PRIORITY, other, priority_of(k, waiting) + 1);
}

static void more_connections(collecting *k)
{
    k->series++;
    for (int n = k->run->connections; n > 0 && n < MAX_CONNECTIONS;) {
        n = min_int(2 * n, MAX_CONNECTIONS);
        add(k, GCAST_CHANGE_CONNECTIONS, 0, n);
    }
}

static void fewer_threads(collecting *k, size_t run_op)
{
    gcast_op shape = *op_of(k, run_op);
    k->series++;
    while (shape.shape.threads / 2 >= MIN_THREADS && remedy_reshape(&shape, shape.shape.threads / 2))
        add_op(k, GCAST_CHANGE_THREADS, run_op, shape.shape.threads);
}

static void more_threads(collecting *k, size_t run_op)
{
    gcast_op shape = *op_of(k, run_op);
    int max_threads = k->run->gpu->limits.threads_per_block;
    k->series++;
    while (shape.shape.threads <= max_threads / 2 && remedy_reshape(&shape, 2 * (int64_t)shape.shape.threads))
        add_op(k, GCAST_CHANGE_THREADS, run_op, shape.shape.threads);
}

static void halves(collecting *k, gcast_change_kind kind, size_t run_op, int64_t value, int64_t min_value)
{
    k->series++;
    for (value /= 2; value >= min_value; value /= 2)
        add_op(k, kind, run_op, value);
}

/* Shared memory of a block, static and dynamic. */
static int64_t shared_of(const gcast_op *op)
{
    return op->shape.static_smem + op->shape.dynamic_smem;
}

/* Smaller demands of the kernel that waits and of the one that holds the largest part. */
static void less_demand(collecting *k, const gcast_wait *w)
{
    size_t kernels[2] = {w->run_op, w->holder_count ? w->holders[0].run_op : w->run_op};
    if (w->resources >> GCAST_RES_THREADS & 1 || w->resources >> GCAST_RES_WARPS & 1)
        fewer_threads(k, w->run_op);
    for (int i = 0; i < (kernels[0] == kernels[1] ? 1 : 2); i++) {
        const gcast_op *op = op_of(k, kernels[i]);
        if (w->resources >> GCAST_RES_REGISTERS & 1)
            halves(k, GCAST_CHANGE_REGISTERS, kernels[i], op->shape.registers, MIN_REGISTERS);
        if (w->resources >> GCAST_RES_SHARED_MEMORY & 1)
            halves(k, GCAST_CHANGE_SHARED_MEMORY, kernels[i], shared_of(op), MIN_SHARED);
        if (w->resources >> GCAST_RES_BLOCKS & 1)
            more_threads(k, kernels[i]);
    }
}

static void larger_carveout(collecting *k, const gcast_wait *w)
{
    for (size_t i = 0; i < w->holder_count; i++)
        if (op_of(k, w->holders[i].run_op)->carveout != GCAST_OP_CARVEOUT_MOST) {
            k->series++;
            add_op(k, GCAST_CHANGE_CARVEOUT, w->holders[i].run_op, 0);
            return;
        }
}

static void earlier_call(collecting *k, size_t run_op)
{
    k->series++;
    if (op_of(k, run_op)->task == GCAST_ONCE && op_of(k, run_op)->graph == GCAST_NO_GRAPH)
        add_op(k, GCAST_CHANGE_CALL, run_op, k->run->ops[k->pair->earlier].call_ns);
}

/* Changes that may shorten this wait. */
static void collect_for(collecting *k, const gcast_wait *w)
{
    size_t holder = w->holder_count ? w->holders[0].run_op : w->run_op;
    switch (w->reason) {
    case GCAST_WHY_CALL:
        earlier_call(k, w->run_op);
        break;
    case GCAST_WHY_STREAM:
        own_stream(k, w->run_op);
        break;
    case GCAST_WHY_NULL_FIRST: /* it is in the NULL stream, its holder in a blocking one */
        own_stream(k, w->run_op);
        add_stream(k, GCAST_CHANGE_NON_BLOCKING, holder, 0);
        break;
    case GCAST_WHY_NULL_BEFORE:
        add_stream(k, GCAST_CHANGE_NON_BLOCKING, w->run_op, 0);
        own_stream(k, holder);
        break;
    case GCAST_WHY_CONNECTION:
    case GCAST_WHY_TURN:
        more_connections(k);
        break;
    case GCAST_WHY_FIFO:
    case GCAST_WHY_PRIORITY:
        change_priority(k, w->run_op, holder, w->reason == GCAST_WHY_PRIORITY);
        break;
    case GCAST_WHY_CARVEOUT:
        larger_carveout(k, w);
        break;
    case GCAST_WHY_RESOURCES:
        less_demand(k, w);
        break;
    default: /* times of the GPU itself */
        break;
    }
}

bool remedy_collect(const gcast_run *run, const gcast_pair *pair, remedy_candidates *out)
{
    collecting k = {.run = run, .pair = pair, .out = out};
    for (size_t i = 0; i < pair->link_count; i++)
        collect_for(&k, &pair->links[i].wait);
    return !k.failed;
}
