#include "files/examiner/read/bench_ops.h"

#include <stdio.h>
#include <string.h>

int bench_stream(exam_bench *b)
{
    if (b->stream < 0) {
        b->traits.id = ++b->x->next_stream;
        b->traits.blocking_given = true;
        node_fail_as(b->at, gcast_workload_add_stream(b->x->w, &b->traits, &b->stream, b->x->doc.err));
    }
    return b->stream;
}

int bench_null_stream(exam_bench *b, const node *n)
{
    if (b->process != 0) {
        node_fail(n, "the NULL stream of a process among several is not supported");
        return -1;
    }
    int index = -1;
    node_fail_as(n, gcast_workload_get_stream(b->x->w, 0, &index, b->x->doc.err));
    return index;
}

void bench_add(exam_bench *b, gcast_op op, const char *name, const char *suffix)
{
    size_t size = strlen(name) + strlen(suffix) + 1;
    char *label = arena_alloc(&b->memory, size);
    if (label)
        snprintf(label, size, "%s%s", name, suffix);
    op.label = label;
    if (b->x->doc.status == GCAST_OK && (!label || !vec_push(&b->ops, op)))
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
}

void bench_add_kernel(exam_bench *b, const char *name, const uint32_t grid[3], const uint32_t block[3], int64_t ns,
                      int64_t shared_memory, int stream, int mask)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(op.grid, grid, sizeof op.grid);
    memcpy(op.block, block, sizeof op.block);
    op.min_ns = op.max_ns = ns;
    op.shape.static_smem = shared_memory;
    op.body = GCAST_BODY_TIMER_SPIN;
    op.stream = stream;
    op.mask = mask;
    bench_add(b, op, name, "");
}

void bench_add_copy(exam_bench *b, const char *name, const char *suffix, gcast_direction direction, int64_t bytes)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.direction = direction;
    op.bytes = bytes;
    op.stream = bench_stream(b);
    bench_add(b, op, name, suffix);
}

void bench_add_sync(exam_bench *b, int stream)
{
    if (b->ops.count == 0 || b->ops.at[b->ops.count - 1].kind == GCAST_KIND_SYNC)
        return;
    gcast_op op = gcast_op_default(GCAST_KIND_SYNC);
    op.stream = stream;
    bench_add(b, op, b->label, ": sync");
}
