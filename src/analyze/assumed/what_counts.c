#include "analyze/assumed/what_counts.h"

static unsigned needs_of_copy(const gcast_op *op)
{
    bool by_bytes = op->max_ns == GCAST_UNKNOWN_NS;
    if (op->kind == GCAST_KIND_MEMSET)
        return NEEDS_COPIES | NEEDS_INSIDE | (by_bytes ? NEEDS_MEMSET_BYTES : 0);
    switch (op->direction) {
    case GCAST_H2D:
        return NEEDS_COPIES | NEEDS_H2D | (by_bytes ? NEEDS_H2D_BYTES : 0);
    case GCAST_D2H:
        return NEEDS_COPIES | NEEDS_D2H | (by_bytes ? NEEDS_D2H_BYTES : 0);
    default:
        return NEEDS_COPIES | NEEDS_INSIDE | (by_bytes ? NEEDS_D2D_BYTES : 0);
    }
}

/* `first` is the first kernel of the workload. */
static unsigned needs_of_kernel(const gcast_workload *w, const gcast_op *op, const gcast_op *first)
{
    unsigned needs = NEEDS_KERNELS;
    if (op->stream != first->stream)
        needs |= NEEDS_STREAMS | (w->connections < 0 ? NEEDS_CONNECTIONS : 0);
    if (op->graph != GCAST_NO_GRAPH && w->connections < 0)
        needs |= NEEDS_CONNECTIONS; /* its branches have connections of their own */
    if (w->streams[op->stream].priority != w->streams[first->stream].priority || op->cooperative != first->cooperative)
        needs |= NEEDS_LEVELS;
    return needs | (op->body == GCAST_BODY_TIMER_SPIN ? NEEDS_SPINS : 0);
}

unsigned needs_of(const gcast_workload *w)
{
    unsigned needs = NEEDS_NOTHING;
    const gcast_op *kernel = NULL, *copy = NULL; /* the first of each */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->after_count)
            needs |= NEEDS_EVENTS;
        if (op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET) {
            copy = copy ? copy : op;
            needs |= needs_of_copy(op) | (op->stream != copy->stream ? NEEDS_COPY_STREAMS : 0);
        }
        if (op->kind == GCAST_KIND_KERNEL) {
            kernel = kernel ? kernel : op;
            needs |= needs_of_kernel(w, op, kernel);
        }
    }
    unsigned ways = needs & (NEEDS_H2D | NEEDS_D2H | NEEDS_INSIDE);
    return needs | (ways & (ways - 1) ? NEEDS_ENGINES : 0); /* more than one bit */
}
