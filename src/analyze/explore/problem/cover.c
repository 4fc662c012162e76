/* What method explore covers of docs/model.md. Everything else is refused with a sentence: a
 * workload is never explored as if it were another. */
#include "analyze/explore/problem/cover.h"

#include <stdio.h>

#include "analyze/explore/problem/pool.h"
#include "analyze/explore/problem/shares.h"
#include "analyze/turn_wait.h"
#include "model/gpu/carveout.h"
#include "model/gpu/copy_engine.h"

/* Which kinds of streams the operations are in. */
typedef struct stream_usage {
    size_t kernel_streams; /* number of streams with kernels */
    bool has_null;         /* the NULL stream is used */
    bool null_has_kernels; /* the NULL stream has kernels */
    bool has_blocking;     /* another blocking stream is used */
} stream_usage;

/* Refuses because of an op: which one, and why. */
static bool refuse_op(explore_problem *p, const gcast_op *op, const char *reason)
{
    size_t index = (size_t)(op - p->w->ops);
    if (op->label)
        snprintf(p->text, sizeof p->text, "op %.60s %s", op->label, reason);
    else
        snprintf(p->text, sizeof p->text, "op number %zu %s", index, reason);
    return explore_refuse(p, p->text);
}

/* Releases that may be at any time do not repeat with a hyperperiod. */
static bool covers_sporadic(explore_problem *p, const gcast_op *op)
{
    if (p->options->horizon_ns <= 0)
        return refuse_op(p, op,
                         "is of a task that is sporadic, and when it is released is not known; with a horizon, or with "
                         "a period and jitter, there is an answer");
    if (p->w->tasks[op->task].jitter_ns >= p->w->tasks[op->task].period_ns)
        return refuse_op(p, op,
                         "is of a task that is sporadic, with jitter_ns of its period or more, so that its jobs may "
                         "come in any order; with less there is an answer");
    return true;
}

static bool covers_op(explore_problem *p, const gcast_op *op)
{
    if (op->host_waits)
        return refuse_op(p, op,
                         "has host_waits, and when its host makes later calls is not known; without it there is an "
                         "answer");
    if (op->kind == GCAST_KIND_SYNC || op->kind == GCAST_KIND_FREE || op->kind == GCAST_KIND_BARRIER)
        return refuse_op(p, op,
                         "makes a host wait, and when it makes later calls is not known; with release_ns in place "
                         "of hosts that wait there is an answer");
    if (op->skip_ns != GCAST_NEVER)
        return refuse_op(p, op, "has skip_ns, and whether it is called is not known; without it there is an answer");
    return op->task == GCAST_ONCE || !p->w->tasks[op->task].sporadic || covers_sporadic(p, op);
}

/* At most one kernel of each stream is resident, and a resident kernel has a block on a slot or is dispatched in part,
 * which one of each level may be. So no more kernels are resident than there are streams with kernels, or slots and
 * levels. */
static bool covers_grids(explore_problem *p, const stream_usage *u)
{
    size_t limit = (size_t)p->gpu->limits.resident_grids;
    size_t max_resident = p->slot_count[0] + (size_t)p->gpu->priority_levels;
    if (!limit || u->kernel_streams <= limit || (max_resident <= limit && !p->shares))
        return true;
    snprintf(
        p->text, sizeof p->text,
        "the GPU's resident_grids is %zu and kernels of %zu streams could be resident; with %zu there would be one",
        limit, u->kernel_streams, u->kernel_streams);
    return explore_refuse(p, p->text);
}

/* Without the NULL stream all kernels of a stream are in one connection, and there is an empty connection for every
 * other stream; so connections hold nothing up. */
static bool covers_connections(explore_problem *p, const stream_usage *u)
{
    int connections = p->w->connections >= 0 ? p->w->connections : p->gpu->connections;
    if (connections && (u->kernel_streams > (size_t)connections || (u->null_has_kernels && u->kernel_streams > 1)))
        return explore_refuse(p, "streams may share a connection, and one may then hold up another");
    return true;
}

static bool covers_processes(explore_problem *p)
{
    int process = -1;
    for (size_t i = 0; i < p->w->op_count; i++) {
        if (p->w->ops[i].stream < 0)
            continue;
        int op_process = p->w->streams[p->w->ops[i].stream].process;
        if (process >= 0 && process != op_process)
            return explore_refuse(p,
                                  "streams of several processes share the GPU by time slices, which is not predicted; "
                                  "with one process there is an answer");
        process = op_process;
    }
    return true;
}

/* False without memory. */
static bool find_usage(explore_problem *p, stream_usage *u)
{
    const gcast_workload *w = p->w;
    bool *has_kernels = arena_alloc_array(&p->memory, w->stream_count + 1, sizeof *has_kernels);
    if (!has_kernels)
        return explore_no_memory(p);
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->stream < 0)
            continue;
        const gcast_stream *s = &w->streams[op->stream];
        bool is_kernel = op->kind == GCAST_KIND_KERNEL;
        u->kernel_streams += is_kernel && !has_kernels[op->stream];
        has_kernels[op->stream] = has_kernels[op->stream] || is_kernel;
        u->has_null = u->has_null || s->id == 0;
        u->null_has_kernels = u->null_has_kernels || (s->id == 0 && is_kernel);
        u->has_blocking = u->has_blocking || (s->id != 0 && s->blocking);
    }
    return true;
}

static bool covers_null_stream(explore_problem *p, const stream_usage *u)
{
    if (u->has_null && u->has_blocking)
        return explore_refuse(p,
                              "the NULL stream (id 0) and streams with blocking wait for each other; with another id, "
                              "or without blocking, there would be one");
    return true;
}

/* In channels, copies of several streams do not start in the order in which they arrived. */
bool explore_covers_channels(explore_problem *p)
{
    const gcast_workload *w = p->w;
    int stream[COPY_ENGINES] = {-1, -1, -1};
    for (size_t i = 0; i < w->op_count && p->gpu->copy_channels > 1; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->kind == GCAST_KIND_KERNEL || !gcast_kind_on_gpu(op->kind))
            continue;
        int *engine_stream = &stream[copy_engine_of(p->gpu, op)];
        if (*engine_stream >= 0 && *engine_stream != op->stream)
            return explore_refuse(p, "copies of several streams wait in channels, and may then pass each other");
        *engine_stream = op->stream;
    }
    return true;
}

bool explore_covers_any(explore_problem *p)
{
    for (size_t i = 0; i < p->w->op_count; i++)
        if (!covers_op(p, &p->w->ops[i]))
            return false;
    return covers_processes(p);
}

const char *explore_needs_events(const explore_problem *p)
{
    for (size_t i = 0; i < p->w->task_count; i++)
        if (p->w->tasks[i].sporadic)
            return "a task is sporadic";
    for (size_t i = 0; i < p->w->once_count && p->options->any_order; i++)
        if (p->w->ops[i].after_count)
            return "an op that runs once is after others while calls are made in any order";
    return NULL;
}

bool explore_connections_matter(explore_problem *p)
{
    stream_usage u = {0};
    return !find_usage(p, &u) || p->max_turn_wait_ns || !covers_connections(p, &u);
}

bool explore_set_turn_wait(explore_problem *p)
{
    stream_usage u = {0};
    if (!find_usage(p, &u))
        return false;
    p->max_turn_wait_ns = turn_wait_max_ns(p->w, p->gpu, u.kernel_streams, u.null_has_kernels);
    return true;
}

bool explore_covers_slots(explore_problem *p)
{
    stream_usage u = {0};
    if (!find_usage(p, &u))
        return false;
    p->copies_may_pass = !explore_covers_channels(p);
    p->connections_shared = !covers_connections(p, &u);
    p->kernel_streams = u.kernel_streams;
    p->refusal = NULL;
    if (!covers_null_stream(p, &u))
        return false;
    bool is_pool = explore_make_pool(p, &p->slot_count[0]) && !carveout_matters(p->gpu, p->w);
    p->refusal = NULL;
    return (is_pool || explore_make_shares(p)) && covers_grids(p, &u);
}

bool explore_covers_pool(explore_problem *p)
{
    stream_usage u = {0};
    return find_usage(p, &u) && covers_null_stream(p, &u) && explore_covers_channels(p) &&
           !carveout_matters(p->gpu, p->w) && explore_make_pool(p, &p->slot_count[0]) && covers_connections(p, &u) &&
           covers_grids(p, &u);
}
