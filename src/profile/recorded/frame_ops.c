/* Frames of operations: kernels, copies and memsets. */
#include "profile/recorded/state.h"

int64_t recorded_number(const frame *f, size_t field)
{
    int64_t value = frame_field(f, field);
    return value == RECORDED_UNKNOWN || value < 0 ? PROF_UNKNOWN : value;
}

bool recorded_times(recording *r, int64_t start_ns, int64_t end_ns)
{
    if (start_ns <= 0 || end_ns <= 0 || start_ns >= INT64_MAX / 4 || end_ns >= INT64_MAX / 4)
        return false; /* CUPTI says 0 where it has no time */
    if (!r->any_time || start_ns < r->first_ns)
        r->first_ns = start_ns;
    r->any_time = true;
    return true;
}

const char *recorded_text(const recording *r, int64_t number)
{
    return number >= 1 && (uint64_t)number <= r->process.texts.count ? r->process.texts.at[number - 1] : NULL;
}

/* X, Y and Z in fields from `first` on, from `min` to the most that CUDA allows. */
static bool dims(const frame *f, size_t first, int64_t min, uint32_t to[3])
{
    for (size_t i = 0; i < 3; i++) {
        int64_t n = frame_field(f, first + i);
        if (n < min || n > INT32_MAX)
            return false;
        to[i] = (uint32_t)n;
    }
    return true;
}

static int small(int64_t n)
{
    return n >= 0 && n <= INT32_MAX ? (int)n : PROF_UNKNOWN;
}

bool recorded_add_context(recorded_process *p, recorded_context c)
{
    for (size_t i = p->contexts.count; i-- > 0;)
        if (p->contexts.at[i].context == c.context)
            return true;
    return p->contexts.count >= RECORDED_MAX_CONTEXTS || vec_push(&p->contexts, c);
}

static bool get_op(recording *r, const frame *f, gcast_kind kind, prof_op *op)
{
    *op = prof_op_untold(kind);
    op->start_ns = frame_field(f, OP_START);
    op->end_ns = frame_field(f, OP_END);
    op->correlation = recorded_number(f, OP_CORRELATION);
    op->channel = small(recorded_number(f, OP_CHANNEL));
    op->graph = recorded_number(f, OP_GRAPH);
    op->node = recorded_number(f, OP_NODE);
    prof_stream key = {.device = recorded_number(f, OP_DEVICE),
                       .pid = r->process.pid,
                       .context = recorded_number(f, OP_CONTEXT),
                       .number = recorded_number(f, OP_STREAM)};
    recorded_context c = {.context = key.context, .device = key.device};
    return recorded_add_context(&r->process, c) && prof_get_stream(r->trace, &key, &op->stream);
}

static bool keep(recording *r, const prof_op *op)
{
    if (!recorded_times(r, op->start_ns, op->end_ns))
        return prof_find(r->trace, "{operation} without times, left out", op->name, 1);
    r->op_count += op->end_ns >= op->start_ns; /* others are left out of the trace */
    return vec_push(&r->process.ops, *op);
}

static bool take_kernel_frame(recording *r, const frame *f)
{
    prof_op op;
    int64_t launch = frame_field(f, KERNEL_LAUNCH_TYPE);
    const char *name = recorded_text(r, frame_field(f, KERNEL_NAME));
    if (!get_op(r, f, GCAST_KIND_KERNEL, &op))
        return false;
    op.name = name ? name : "?";
    if (!dims(f, KERNEL_GRID_X, 1, op.grid) || !dims(f, KERNEL_BLOCK_X, 1, op.block))
        return prof_find(r->trace, "{kernel} without a valid grid and block, left out", op.name, 1);
    if (!dims(f, KERNEL_CLUSTER_X, 0, op.cluster) || op.cluster[0] * (uint64_t)op.cluster[1] * op.cluster[2] <= 1)
        op.cluster[0] = op.cluster[1] = op.cluster[2] = 0; /* CUPTI says 0 or 1 of kernels without clusters */
    op.registers = small(recorded_number(f, KERNEL_REGISTERS));
    op.static_smem = recorded_number(f, KERNEL_STATIC_SMEM);
    op.dynamic_smem = recorded_number(f, KERNEL_DYNAMIC_SMEM);
    op.smem_executed = recorded_number(f, KERNEL_SMEM_EXECUTED);
    op.is_cooperative = launch == 1 || launch == 2; /* on one GPU, on several */
    return keep(r, &op);
}

static bool take_copy_frame(recording *r, const frame *f)
{
    static const char *const names[GCAST_DIRECTIONS + 1] = {"copy to the device", "copy to the host",
                                                            "copy on the device", "copy"};
    enum { PAGEABLE = 1 };
    prof_op op;
    int64_t kind = frame_field(f, COPY_COPY_KIND);
    if (!get_op(r, f, GCAST_KIND_COPY, &op))
        return false;
    op.bytes = recorded_number(f, COPY_BYTES);
    prof_set_copy(&op, kind);
    op.is_pageable = frame_field(f, COPY_SOURCE) == PAGEABLE || frame_field(f, COPY_TARGET) == PAGEABLE;
    op.name = names[op.direction];
    return keep(r, &op);
}

static bool take_memset_frame(recording *r, const frame *f)
{
    prof_op op;
    if (!get_op(r, f, GCAST_KIND_MEMSET, &op))
        return false;
    op.bytes = recorded_number(f, MEMSET_BYTES);
    op.name = "memset";
    return keep(r, &op);
}

bool take_op_frame(recording *r, const frame *f)
{
    return f->kind == RECORDED_KERNEL ? take_kernel_frame(r, f)
           : f->kind == RECORDED_COPY ? take_copy_frame(r, f)
                                      : take_memset_frame(r, f);
}
