#include "analyze/assumed/count_range.h"

#include <string.h>

#include "base/minmax.h"
#include "model/gpu/fields.h"

#define MOST_ENGINES 3 /* copies go three ways */

static bool is_copy(const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET;
}

/* At most so many streams have kernels, or copies; each node of a graph may be a stream of its own. */
static int64_t most_streams(const gcast_workload *w, bool of_copies)
{
    int64_t plain = 0, nodes = 0;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (of_copies ? is_copy(op) : op->kind == GCAST_KIND_KERNEL)
            *(op->graph == GCAST_NO_GRAPH ? &plain : &nodes) += 1;
    }
    return min_i64(plain, (int64_t)w->stream_count) + nodes;
}

/* As many as the priorities of its streams need, and cooperative kernels, which are of the highest. */
static int64_t most_levels(const gcast_workload *w)
{
    int64_t most = 1;
    for (size_t i = 0; i < w->stream_count; i++)
        most = max_i64(most, 1 - (int64_t)w->streams[i].priority);
    for (size_t i = 0; i < w->op_count; i++)
        most = max_i64(most, w->ops[i].cooperative ? 2 : 1);
    return most;
}

count_range count_range_of(const gcast_workload *w, const char *field, int64_t value)
{
    count_range r = {.least = 1};
    if (strcmp(field, "connections") == 0) {
        r.most = most_streams(w, false);
        value = value ? value : r.most; /* 0: one per stream */
    } else if (strcmp(field, "copy_engines") == 0) {
        r.most = MOST_ENGINES;
    } else if (strcmp(field, "copy_channels") == 0) {
        r.least = 0;
        r.most = most_streams(w, true);
    } else {
        r.most = most_levels(w);
    }
    r.most = min_i64(r.most, gpu_field_find(field)->hi);
    r.value = min_i64(value, r.most);
    return r;
}
