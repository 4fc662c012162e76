/* What method explore covers of docs/model.md. Everything else is refused with a sentence: a
 * workload is never explored as if it were another. */
#include "analyze/explore/explore.h"
#include "analyze/turn_wait.h"
#include "model/gpu/carveout.h"
#include "simulate/blocks/starve.h"

/* What is in the streams that are used. */
typedef struct usage {
    size_t kernel_streams;
    bool null, null_kernel, blocking;
} usage;

static bool covers_op(explore *x, const gcast_op *op)
{
    if (op->kind == GCAST_KIND_SYNC || op->kind == GCAST_KIND_FREE || op->kind == GCAST_KIND_BARRIER || op->host_waits)
        return explore_refuse(x, "a host thread waits for the GPU, and its later calls are then not known");
    if (op->skip_ns != GCAST_NEVER)
        return explore_refuse(x, "an op may be skipped, and which ones run is then not known");
    return true;
}

/* Kernels of one stream are complete one after the other, and a kernel that is resident has a block on a
 * slot or is dispatched in part: that is how many may be resident. */
static bool covers_grids(explore *x, const usage *u)
{
    size_t limit = (size_t)x->gpu->limits.resident_grids, most = x->slot_count[0] + (size_t)x->gpu->priority_levels;
    if (limit && u->kernel_streams > limit && (most > limit || x->shares))
        return explore_refuse(x, "more kernels could be resident than the GPU's limit of resident grids");
    return true;
}

/* Without the NULL stream a stream's kernels are all in one connection, and there is an empty
 * one for every other stream; so they hold nothing up. */
static bool covers_connections(explore *x, const usage *u)
{
    int connections = x->w->connections >= 0 ? x->w->connections : x->gpu->connections;
    if (connections && (u->kernel_streams > (size_t)connections || (u->null_kernel && u->kernel_streams > 1)))
        return explore_refuse(x, "streams may share a connection, and one may then hold up another");
    return true;
}

static bool covers_processes(explore *x)
{
    int process = -1;
    for (size_t i = 0; i < x->w->op_count; i++) {
        if (x->w->ops[i].stream < 0)
            continue;
        int own = x->w->streams[x->w->ops[i].stream].process;
        if (process >= 0 && process != own)
            return explore_refuse(x, "several processes share the GPU by time slices, which is not predicted");
        process = own;
    }
    return true;
}

static bool use_streams(explore *x, usage *u)
{
    const gcast_workload *w = x->w;
    bool *kernels = arena_alloc_array(&x->memory, w->stream_count + 1, sizeof *kernels);
    if (!kernels) {
        x->status = gcast_error_set_memory(x->err);
        return false;
    }
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->stream < 0)
            continue;
        const gcast_stream *s = &w->streams[op->stream];
        bool kernel = op->kind == GCAST_KIND_KERNEL;
        u->kernel_streams += kernel && !kernels[op->stream];
        kernels[op->stream] = kernels[op->stream] || kernel;
        u->null = u->null || s->id == 0;
        u->null_kernel = u->null_kernel || (s->id == 0 && kernel);
        u->blocking = u->blocking || (s->id != 0 && s->blocking);
    }
    return true;
}

static bool covers_null(explore *x, const usage *u)
{
    if (u->null && u->blocking)
        return explore_refuse(x, "the NULL stream and other blocking streams wait for each other");
    return true;
}

/* In channels, copies of several streams do not go in the order in which they came. */
bool explore_covers_channels(explore *x)
{
    const gcast_workload *w = x->w;
    int stream[2] = {-1, -1};
    for (size_t i = 0; i < w->op_count && x->gpu->copy_channels > 1; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->kind == GCAST_KIND_KERNEL || !gcast_kind_on_gpu(op->kind))
            continue;
        int *first = &stream[explore_copy_engine(x, op)];
        if (*first >= 0 && *first != op->stream)
            return explore_refuse(x, "copies of several streams wait in channels, and may then pass each other");
        *first = op->stream;
    }
    return true;
}

bool explore_possible(explore *x)
{
    if (starve_happens(x->gpu, x->w))
        return explore_refuse(x, "blocks in which every thread spins make others on their SM end later");
    if (carveout_matters(x->gpu, x->w))
        return explore_refuse(x, "a kernel has carveout driver, and others may then wait until an SM is empty");
    for (size_t i = 0; i < x->w->op_count; i++)
        if (!covers_op(x, &x->w->ops[i]))
            return false;
    return covers_processes(x);
}

bool explore_lines_matter(explore *x)
{
    usage u = {0};
    return !use_streams(x, &u) || x->turn || !covers_connections(x, &u);
}

bool explore_set_turn(explore *x)
{
    usage u = {0};
    if (!use_streams(x, &u))
        return false;
    x->turn = turns_most_ns(x->w, x->gpu, u.kernel_streams, u.null_kernel);
    return true;
}

bool explore_covers_shares(explore *x)
{
    usage u = {0};
    x->passing = !explore_covers_channels(x);
    x->why = NULL;
    return use_streams(x, &u) && covers_null(x, &u) && explore_share_out(x) && covers_connections(x, &u) &&
           covers_grids(x, &u);
}

bool explore_covers(explore *x)
{
    usage u = {0};
    return use_streams(x, &u) && covers_null(x, &u) && explore_covers_channels(x) &&
           explore_pool_size(x, &x->slot_count[0]) && covers_connections(x, &u) && covers_grids(x, &u);
}
