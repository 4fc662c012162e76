/* What method explore covers of docs/model.md. Everything else is refused with a sentence: a
 * workload is never explored as if it were another. */
#include "analyze/explore.h"

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
static bool covers_grids(explore *x, size_t kernel_streams, size_t slots)
{
    size_t limit = (size_t)x->gpu->limits.resident_grids, most = slots + (size_t)x->gpu->priority_levels;
    if (limit && kernel_streams > limit && most > limit)
        return explore_refuse(x, "more kernels could be resident than the GPU's limit of resident grids");
    return true;
}

/* Without the NULL stream a stream's kernels are all in one connection, and there is an empty
 * one for every other stream; so they hold nothing up. */
static bool covers_connections(explore *x, size_t kernel_streams, bool null_kernel)
{
    int connections = x->w->connections >= 0 ? x->w->connections : x->gpu->connections;
    if (connections && (kernel_streams > (size_t)connections || (null_kernel && kernel_streams > 1)))
        return explore_refuse(x, "streams may share a connection, and one may then hold up another");
    return true;
}

bool explore_covers(explore *x)
{
    const gcast_workload *w = x->w;
    size_t kernel_streams = 0, slots;
    bool null_used = false, null_kernel = false, blocking_used = false;
    int process = -1;
    for (size_t i = 0; i < w->op_count; i++)
        if (!covers_op(x, &w->ops[i]))
            return false;
    for (size_t s = 0; s < w->stream_count; s++) {
        bool used = false, kernel = false;
        for (size_t i = 0; i < w->op_count; i++) {
            used = used || w->ops[i].stream == (int)s;
            kernel = kernel || (w->ops[i].stream == (int)s && w->ops[i].kind == GCAST_KIND_KERNEL);
        }
        if (used && process >= 0 && process != w->streams[s].process)
            return explore_refuse(x, "several processes share the GPU by time slices, which is not predicted");
        process = used ? w->streams[s].process : process;
        kernel_streams += kernel;
        null_used = null_used || (used && w->streams[s].id == 0);
        null_kernel = null_kernel || (kernel && w->streams[s].id == 0);
        blocking_used = blocking_used || (used && w->streams[s].id != 0 && w->streams[s].blocking);
    }
    if (null_used && blocking_used)
        return explore_refuse(x, "the NULL stream and other blocking streams wait for each other");
    if (!explore_pool_size(x, &slots) || !covers_connections(x, kernel_streams, null_kernel) ||
        !covers_grids(x, kernel_streams, slots))
        return false;
    x->slot_count[0] = slots;
    return true;
}
