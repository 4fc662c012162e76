/* How long operations hold their stream, by those that waited in its queue.
 *
 * Times of profilers are a little wider than those of blocks: a kernel that waits in its stream's queue seems to follow
 * the one before it sooner than blocks do. By how much is told by the gaps between such kernels, which the GPU's model
 * knows, and so much shorter are all kernels outside of graphs. Where too few waited, it is what was seen on an H200
 * with CUPTI 13, as far as the GPU's gap allows.
 *
 * Copies and memsets hold their stream for longer than they take: some microseconds before and after them. Where one
 * waited in the queue, or something waited behind it, this is part of it, unless the GPU or the copy engine was busy
 * with something else. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/minmax.h"
#include "profile/make/make_steps.h"

#define LEAST_GAPS 5       /* fewer say nothing */
#define QUEUED_NS 1000     /* it was there so long before the one before it ended */
#define MOST_HELD_NS 12000 /* that a copy holds its stream before, and after, it runs */

typedef struct queue {
    making *m;
    const gcast_gpu *gpu;
    uint32_t *before; /* by ops[]: the one before it in its stream that it waited for in the queue; PROF_NONE */
    int64_t *busy_ns; /* by operations of the trace: until when others of its engine ran that had started before */
} queue;

static bool is_kernel(const making *m, uint32_t i)
{
    return trace_op(m, i)->kind == GCAST_KIND_KERNEL;
}

static bool is_node(const making *m, uint32_t i)
{
    return m->items.at[m->ops.at[i].item].graph != 0;
}

static int64_t gap_before(const queue *q, uint32_t i)
{
    return trace_op(q->m, i)->start_ns - trace_op(q->m, q->before[i])->end_ns;
}

/* Did only the one before it in its stream hold it up? */
static bool was_queued(const making *m, uint32_t i, uint32_t before)
{
    const made_item *item = &m->items.at[m->ops.at[i].item];
    return before != PROF_NONE && !is_node(m, i) && !is_node(m, before) && item->call != PROF_NONE &&
           !m->ops.at[i].after_count &&
           m->t->calls[item->call].end_ns + m->lag_ns + QUEUED_NS <= trace_op(m, before)->end_ns &&
           trace_op(m, i)->start_ns >= trace_op(m, before)->end_ns;
}

static bool find_queued(queue *q)
{
    making *m = q->m;
    uint32_t *last = malloc((m->t->stream_count + 1) * sizeof *last);
    for (size_t i = 0; last && i < m->t->stream_count; i++)
        last[i] = PROF_NONE;
    for (size_t i = 0; i < m->ops.count; i++)
        q->before[i] = PROF_NONE;
    for (size_t k = 0; last && k < m->t->op_count; k++) { /* by starts: calls of some are not in the profile */
        uint32_t i = m->op_of[k];
        if (i == PROF_NONE)
            continue;
        uint32_t *before = &last[m->ops.at[i].stream];
        q->before[i] = was_queued(m, i, *before) ? *before : PROF_NONE;
        *before = i;
    }
    free(last);
    return last != NULL;
}

static void find_busy(queue *q)
{
    const prof_trace *t = q->m->t;
    int64_t end_ns[] = {INT64_MIN, INT64_MIN}; /* of kernels, of others */
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        int64_t *end = &end_ns[op->kind != GCAST_KIND_KERNEL];
        q->busy_ns[i] = *end;
        if (t->streams[op->stream].device == q->m->device)
            *end = max_i64(*end, op->end_ns);
    }
}

/* How much wider than their blocks kernels seem; -1: no memory. */
static int64_t excess(const queue *q)
{
    VEC(int64_t) gaps = {0};
    int64_t ns = 0, gap_ns = q->gpu->stream_gap_ns;
    for (uint32_t i = 0; i < q->m->ops.count && ns == 0; i++)
        if (q->before[i] != PROF_NONE && is_kernel(q->m, i) && is_kernel(q->m, q->before[i]) &&
            !vec_push(&gaps, gap_before(q, i)))
            ns = -1;
    if (ns == 0 && gaps.count >= LEAST_GAPS) {
        qsort(gaps.at, gaps.count, sizeof *gaps.at, compare_i64);
        ns = max_i64(gap_ns - gaps.at[gaps.count / 2], 0);
    } else if (ns == 0) {
        ns = min_i64(q->m->o->excess_ns, gap_ns / 2);
    }
    vec_free(&gaps);
    return ns;
}

static void hold_longer(queue *q, int64_t excess_ns)
{
    for (uint32_t i = 0; i < q->m->ops.count; i++) {
        uint32_t before = q->before[i];
        if (before == PROF_NONE || (is_kernel(q->m, i) && is_kernel(q->m, before)))
            continue;
        if (q->busy_ns[q->m->ops.at[i].op] > trace_op(q->m, before)->end_ns)
            continue;
        uint32_t copy = is_kernel(q->m, before) ? i : before;
        int64_t later_ns = gap_before(q, i) - q->gpu->stream_gap_ns + (is_kernel(q->m, before) ? excess_ns : 0);
        q->m->ops.at[copy].span_ns += min_i64(max_i64(later_ns, 0), MOST_HELD_NS);
    }
}

gcast_status make_queued_spans(making *m)
{
    queue q = {.m = m,
               .gpu = m->o->recorded_on ? m->o->recorded_on : m->o->gpu,
               .before = malloc((m->ops.count + 1) * sizeof *q.before),
               .busy_ns = malloc((m->t->op_count + 1) * sizeof *q.busy_ns)};
    int64_t ns = q.before && q.busy_ns && find_queued(&q) ? excess(&q) : -1;
    for (uint32_t i = 0; i < m->ops.count && ns > 0; i++)
        if (is_kernel(m, i) && !is_node(m, i))
            m->ops.at[i].span_ns = max_i64(m->ops.at[i].span_ns - ns, 1);
    if (ns >= 0) {
        find_busy(&q);
        hold_longer(&q, ns);
    }
    m->excess_ns = max_i64(ns, 0);
    free(q.before);
    free(q.busy_ns);
    return ns < 0 ? gcast_error_set_memory(m->err) : GCAST_OK;
}
