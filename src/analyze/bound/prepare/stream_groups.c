/* Two streams are of one group where an op of one is after an op of the other; with the NULL stream, where both are
 * blocking; and with connections, where one is the NULL stream. A path leaves its group only where connections are
 * shared. */
#include "analyze/bound/prepare/stream_groups.h"

#include "model/workload/dependencies/dependencies.h"

/* The stream that stands for the group. */
static uint32_t find_group(const bound *b, uint32_t stream)
{
    while (b->stream_group[stream] != stream)
        stream = b->stream_group[stream];
    return stream;
}

static void join(bound *b, int one, int other)
{
    if (one == other)
        return;
    b->stream_is_joined[one] = b->stream_is_joined[other] = true;
    b->stream_group[find_group(b, (uint32_t)one)] = find_group(b, (uint32_t)other);
}

bool bound_group_streams(bound *b)
{
    int null_stream = -1;
    if (!dependencies_exist(b->w))
        return true;
    b->stream_group = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_group);
    b->stream_is_joined = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->stream_is_joined);
    if (!b->stream_group || !b->stream_is_joined)
        return false;
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->stream_group[n] = (uint32_t)n;
    for (size_t n = 0; n < b->op_count; n++)
        if (b->ops[n].is_null)
            null_stream = b->ops[n].op->stream;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *k = &b->ops[n];
        for (size_t m = 0; m < k->op->after_count; m++)
            join(b, k->op->stream, b->w->ops[k->op->after[m]].stream);
        if (null_stream >= 0 && (k->is_blocking || (b->null_connections_shared && k->is_kernel)))
            join(b, k->op->stream, null_stream);
    }
    for (size_t n = 0; n < b->w->stream_count; n++)
        b->stream_group[n] = find_group(b, (uint32_t)n);
    return true;
}
