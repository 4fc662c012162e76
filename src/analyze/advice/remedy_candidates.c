/* What might shorten each wait of a pair. Only what a programmer decides: streams, priorities,
 * calls, what a block takes; not the GPU. */
#include <stdlib.h>

#include "analyze/advice/remedy.h"

#define MOST_CONNECTIONS 32 /* that CUDA_DEVICE_MAX_CONNECTIONS sets */
#define LEAST_THREADS 32
#define LEAST_REGISTERS 16
#define LEAST_SHARED 1024

typedef struct collecting {
    const gcast_run *run;
    const gcast_pair *pair;
    remedy_candidates *out;
    int series;
    bool failed;
} collecting;

static const gcast_op *op_of(const collecting *k, size_t run_op)
{
    return &k->run->workload->ops[k->run->ops[run_op].op];
}

static bool of_stream(gcast_change_kind kind)
{
    return kind == GCAST_CHANGE_NON_BLOCKING || kind == GCAST_CHANGE_PRIORITY;
}

static bool is_same(const collecting *k, const gcast_change *a, const gcast_change *b)
{
    const gcast_op *ops = k->run->workload->ops;
    return a->kind == b->kind && a->value == b->value &&
           (of_stream(a->kind) ? ops[a->op].stream == ops[b->op].stream : a->op == b->op);
}

static void add(collecting *k, gcast_change_kind kind, size_t op, int64_t value)
{
    gcast_change c = {kind, op, value};
    for (size_t i = 0; i < k->out->count; i++)
        if (is_same(k, &k->out->at[i].change, &c))
            return;
    if (!vec_push(k->out, ((remedy_candidate){c, k->series})))
        k->failed = true;
}

static void add_op(collecting *k, gcast_change_kind kind, size_t run_op, int64_t value)
{
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
    if (task != GCAST_ONCE && op_of(k, k->pair->earlier)->task == task && op_of(k, k->pair->later)->task == task)
        return;
    k->series++;
    add_op(k, GCAST_CHANGE_OWN_STREAM, run_op, 0);
}

/* As the GPU takes it: from 0, the lowest, down to the highest. */
static int priority_of(const collecting *k, size_t run_op)
{
    int p = k->run->workload->streams[op_of(k, run_op)->stream].priority, highest = 1 - k->run->gpu->priority_levels;
    return p > 0 ? 0 : p < highest ? highest : p;
}

/* The one who waits before the other, or the other behind it; `even`: alike is enough. */
static void priorities(collecting *k, size_t me, size_t other, bool even)
{
    int highest = 1 - k->run->gpu->priority_levels, wanted = priority_of(k, other) - !even;
    if (op_of(k, me)->stream == op_of(k, other)->stream)
        return;
    if (wanted >= highest)
        add_stream(k, GCAST_CHANGE_PRIORITY, me, wanted);
    else if (priority_of(k, me) < 0)
        add_stream(k, GCAST_CHANGE_PRIORITY, other, priority_of(k, me) + 1);
}

static void connections(collecting *k)
{
    k->series++;
    for (int n = k->run->connections; n > 0 && n < MOST_CONNECTIONS;) {
        n = 2 * n < MOST_CONNECTIONS ? 2 * n : MOST_CONNECTIONS;
        add(k, GCAST_CHANGE_CONNECTIONS, 0, n);
    }
}

static void fewer_threads(collecting *k, size_t run_op)
{
    gcast_op shape = *op_of(k, run_op);
    k->series++;
    while (shape.shape.threads / 2 >= LEAST_THREADS && remedy_reshape(&shape, shape.shape.threads / 2))
        add_op(k, GCAST_CHANGE_THREADS, run_op, shape.shape.threads);
}

static void more_threads(collecting *k, size_t run_op)
{
    gcast_op shape = *op_of(k, run_op);
    int most = k->run->gpu->limits.threads_per_block;
    k->series++;
    while (shape.shape.threads <= most / 2 && remedy_reshape(&shape, 2 * (int64_t)shape.shape.threads))
        add_op(k, GCAST_CHANGE_THREADS, run_op, shape.shape.threads);
}

static void halves(collecting *k, gcast_change_kind kind, size_t run_op, int64_t now, int64_t least)
{
    k->series++;
    for (now /= 2; now >= least; now /= 2)
        add_op(k, kind, run_op, now);
}

/* Of a block, static and dynamic. */
static int64_t shared_of(const gcast_op *op)
{
    return op->shape.static_smem + op->shape.dynamic_smem;
}

/* Of the one who waits and of the one who holds most. */
static void room(collecting *k, const gcast_wait *w)
{
    size_t who[2] = {w->run_op, w->holder_count ? w->holders[0].run_op : w->run_op};
    if (w->resources >> GCAST_RES_THREADS & 1 || w->resources >> GCAST_RES_WARPS & 1)
        fewer_threads(k, w->run_op);
    for (int i = 0; i < (who[0] == who[1] ? 1 : 2); i++) {
        const gcast_op *op = op_of(k, who[i]);
        if (w->resources >> GCAST_RES_REGISTERS & 1)
            halves(k, GCAST_CHANGE_REGISTERS, who[i], op->shape.registers, LEAST_REGISTERS);
        if (w->resources >> GCAST_RES_SHARED_MEMORY & 1)
            halves(k, GCAST_CHANGE_SHARED_MEMORY, who[i], shared_of(op), LEAST_SHARED);
        if (w->resources >> GCAST_RES_BLOCKS & 1)
            more_threads(k, who[i]);
    }
}

static void carveout(collecting *k, const gcast_wait *w)
{
    for (size_t i = 0; i < w->holder_count; i++)
        if (op_of(k, w->holders[i].run_op)->carveout != GCAST_OP_CARVEOUT_MOST) {
            k->series++;
            add_op(k, GCAST_CHANGE_CARVEOUT, w->holders[i].run_op, 0);
            return;
        }
}

static void call(collecting *k, size_t run_op)
{
    k->series++;
    if (op_of(k, run_op)->task == GCAST_ONCE)
        add_op(k, GCAST_CHANGE_CALL, run_op, k->run->ops[k->pair->earlier].call_ns);
}

static void against(collecting *k, const gcast_wait *w)
{
    size_t holder = w->holder_count ? w->holders[0].run_op : w->run_op;
    switch (w->reason) {
    case GCAST_WHY_CALL:
        call(k, w->run_op);
        break;
    case GCAST_WHY_STREAM:
        own_stream(k, w->run_op);
        break;
    case GCAST_WHY_NULL_FIRST: /* it is in the NULL stream, who holds it in a blocking one */
        own_stream(k, w->run_op);
        add_stream(k, GCAST_CHANGE_NON_BLOCKING, holder, 0);
        break;
    case GCAST_WHY_NULL_BEFORE:
        add_stream(k, GCAST_CHANGE_NON_BLOCKING, w->run_op, 0);
        own_stream(k, holder);
        break;
    case GCAST_WHY_CONNECTION:
    case GCAST_WHY_TURN:
        connections(k);
        break;
    case GCAST_WHY_FIFO:
    case GCAST_WHY_PRIORITY:
        priorities(k, w->run_op, holder, w->reason == GCAST_WHY_PRIORITY);
        break;
    case GCAST_WHY_CARVEOUT:
        carveout(k, w);
        break;
    case GCAST_WHY_ROOM:
        room(k, w);
        break;
    default: /* times of the GPU itself */
        break;
    }
}

bool remedy_collect(const gcast_run *run, const gcast_pair *pair, remedy_candidates *out)
{
    collecting k = {.run = run, .pair = pair, .out = out};
    for (size_t i = 0; i < pair->link_count; i++)
        against(&k, &pair->links[i].wait);
    return !k.failed;
}
