/* What method explore covers of docs/model.md. Everything else is refused with a sentence: a
 * workload is never explored as if it were another. */
#include "analyze/explore/problem/cover.h"

#include "analyze/explore/problem/pool.h"
#include "analyze/explore/problem/shares.h"
#include "analyze/turn_wait.h"
#include "model/gpu/carveout.h"
#include "model/gpu/copy_engine.h"
#include "simulate/blocks/starve.h"

/* Which kinds of streams the operations are in. */
typedef struct stream_usage {
    size_t kernel_streams; /* number of streams with kernels */
    bool has_null;         /* the NULL stream is used */
    bool null_has_kernels; /* the NULL stream has kernels */
    bool has_blocking;     /* another blocking stream is used */
} stream_usage;

static bool covers_op(explore_problem *p, const gcast_op *op)
{
    if (op->kind == GCAST_KIND_SYNC || op->kind == GCAST_KIND_FREE || op->kind == GCAST_KIND_BARRIER || op->host_waits)
        return explore_refuse(p, "a host thread waits for the GPU, and its later calls are then not known");
    if (op->skip_ns != GCAST_NEVER)
        return explore_refuse(p, "an op may be skipped, and which ones run is then not known");
    return true;
}

/* At most one kernel of each stream is resident, and a resident kernel has a block on a slot or is dispatched in part,
 * which one of each level may be. So no more kernels are resident than there are streams with kernels, or slots and
 * levels. */
static bool covers_grids(explore_problem *p, const stream_usage *u)
{
    size_t limit = (size_t)p->gpu->limits.resident_grids;
    size_t max_resident = p->slot_count[0] + (size_t)p->gpu->priority_levels;
    if (limit && u->kernel_streams > limit && (max_resident > limit || p->shares))
        return explore_refuse(p, "more kernels could be resident than the GPU's limit of resident grids");
    return true;
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
            return explore_refuse(p, "several processes share the GPU by time slices, which is not predicted");
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
        return explore_refuse(p, "the NULL stream and other blocking streams wait for each other");
    return true;
}

/* In channels, copies of several streams do not start in the order in which they arrived. */
bool explore_covers_channels(explore_problem *p)
{
    const gcast_workload *w = p->w;
    int stream[2] = {-1, -1};
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
    if (starve_happens(p->gpu, p->w))
        return explore_refuse(p, "blocks in which every thread spins make others on their SM end later");
    if (carveout_matters(p->gpu, p->w))
        return explore_refuse(p, "a kernel has carveout driver, and others may then wait until an SM is empty");
    for (size_t i = 0; i < p->w->op_count; i++)
        if (!covers_op(p, &p->w->ops[i]))
            return false;
    return covers_processes(p);
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

bool explore_covers_shares(explore_problem *p)
{
    stream_usage u = {0};
    p->copies_may_pass = !explore_covers_channels(p);
    p->refusal = NULL;
    return find_usage(p, &u) && covers_null_stream(p, &u) && explore_make_shares(p) && covers_connections(p, &u) &&
           covers_grids(p, &u);
}

bool explore_covers_pool(explore_problem *p)
{
    stream_usage u = {0};
    return find_usage(p, &u) && covers_null_stream(p, &u) && explore_covers_channels(p) &&
           explore_make_pool(p, &p->slot_count[0]) && covers_connections(p, &u) && covers_grids(p, &u);
}
