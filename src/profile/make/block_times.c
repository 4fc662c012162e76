/* Durations of operations and blocks. The duration d of a block follows from the span of its kernel: with R blocks on
 * each of S SMs at a time, a kernel of B blocks has W = B / (R S) waves, rounded up, with a hand-over h between two
 * waves: span = W d + (W - 1) h. If other kernels ran beside it, its span is too long: the shortest launch of the same
 * kernel and shape that ran alone is taken. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/index.h"
#include "base/integers.h"
#include "gridcast/occupancy.h"
#include "profile/make/kernel_residency.h"
#include "profile/make/making.h"

/* A kernel ran alone if others ran beside it for less than a 20th of its time, as the end of its predecessor does. */
#define ALONE_PART 20

/* Launches of one kernel with the same grid, block and resources. */
typedef struct span_shape {
    uint32_t first;      /* one of them: index in ops[] */
    int64_t alone_ns;    /* the shortest of those that ran alone; INT64_MAX: none did */
    int64_t shortest_ns; /* the shortest of all */
} span_shape;

typedef struct span_shapes {
    VEC(span_shape) list;
    uint32_t *shape_of; /* by ops[]; PROF_NONE: no kernel */
} span_shapes;

/* By operation of the trace: did the kernel run beside others? The time beside others is that until the last earlier
 * kernel ended, and that since the next later one started. NULL without memory. */
static bool *find_beside(const making *m)
{
    const prof_trace *t = m->t;
    int64_t end_ns = INT64_MIN, start_ns = INT64_MAX;
    int64_t *shared_ns = calloc(t->op_count + 1, sizeof *shared_ns);
    bool *beside = calloc(t->op_count + 1, sizeof *beside);
    for (size_t i = 0; shared_ns && beside && i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        if (op->kind != GCAST_KIND_KERNEL || t->streams[op->stream].device != m->device)
            continue;
        shared_ns[i] = end_ns > op->start_ns ? min_i64(end_ns, op->end_ns) - op->start_ns : 0;
        end_ns = max_i64(end_ns, op->end_ns);
    }
    for (size_t i = t->op_count; shared_ns && beside && i-- > 0;) {
        const prof_op *op = &t->ops[i];
        if (op->kind != GCAST_KIND_KERNEL || t->streams[op->stream].device != m->device)
            continue;
        shared_ns[i] += start_ns < op->end_ns ? op->end_ns - start_ns : 0;
        start_ns = op->start_ns;
        if (m->op_of[i] != PROF_NONE)
            shared_ns[i] -= m->ops.at[m->op_of[i]].early_ns;
        beside[i] = shared_ns[i] > (op->end_ns - op->start_ns) / ALONE_PART;
    }
    bool ok = shared_ns && beside;
    free(shared_ns);
    if (ok)
        return beside;
    free(beside);
    return NULL;
}

/* Sets `beside` of the operations; all kernels of the GPU count. False without memory. */
static bool set_beside(making *m)
{
    m->beside = find_beside(m);
    for (size_t i = 0; m->beside && i < m->ops.count; i++)
        m->ops.at[i].beside = m->beside[m->ops.at[i].op];
    return m->beside != NULL;
}

static uint64_t shape_hash(const prof_op *op)
{
    const uint64_t key[] = {(uint64_t)(uintptr_t)op->name,
                            op->grid[0],
                            op->grid[1],
                            op->grid[2],
                            op->block[0],
                            op->block[1],
                            op->block[2],
                            (uint64_t)op->static_smem,
                            (uint64_t)op->dynamic_smem};
    return index_hash(key, sizeof key);
}

static bool same_shape(const prof_op *a, const prof_op *b)
{
    return a->name == b->name && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->static_smem == b->static_smem &&
           a->dynamic_smem == b->dynamic_smem;
}

static uint32_t find_shape(const making *m, const span_shapes *s, const hash_index *index, const prof_op *op)
{
    for (index_probe p = index_start(index, shape_hash(op)); index_next(index, &p);)
        if (same_shape(op, trace_op(m, s->list.at[p.value].first)))
            return p.value;
    return PROF_NONE;
}

static bool collect(const making *m, span_shapes *s, hash_index *index)
{
    for (size_t i = 0; i < m->ops.count; i++) {
        const prof_op *op = trace_op(m, i);
        s->shape_of[i] = PROF_NONE;
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        uint32_t shape = find_shape(m, s, index, op);
        if (shape == PROF_NONE) {
            span_shape x = {.first = (uint32_t)i, .alone_ns = INT64_MAX, .shortest_ns = INT64_MAX};
            shape = (uint32_t)s->list.count;
            if (!vec_push(&s->list, x) || !index_add(index, shape_hash(op), shape))
                return false;
        }
        span_shape *x = &s->list.at[shape];
        int64_t span_ns = m->ops.at[i].span_ns;
        s->shape_of[i] = shape;
        x->shortest_ns = min_i64(x->shortest_ns, span_ns);
        if (!m->ops.at[i].beside && !m->ops.at[i].waits)
            x->alone_ns = min_i64(x->alone_ns, span_ns);
    }
    return true;
}

/* Launches outside of the requested part count, too, if they ran alone. */
static void collect_alone(const making *m, span_shapes *s, const hash_index *index)
{
    for (size_t i = 0; i < m->t->op_count; i++) {
        const prof_op *op = &m->t->ops[i];
        if (op->kind != GCAST_KIND_KERNEL || m->op_of[i] != PROF_NONE || m->beside[i] || op->graph > 0 ||
            m->t->streams[op->stream].device != m->device)
            continue;
        uint32_t shape = find_shape(m, s, index, op);
        if (shape != PROF_NONE)
            s->list.at[shape].alone_ns =
                min_i64(s->list.at[shape].alone_ns, max_i64(op->end_ns - op->start_ns - m->excess_ns, 1));
    }
}

/* False without memory. */
static bool collect_shapes(const making *m, span_shapes *s)
{
    hash_index index = {0};
    *s = (span_shapes){.shape_of = malloc((m->ops.count + 1) * sizeof *s->shape_of)};
    bool ok = s->shape_of && collect(m, s, &index);
    if (ok)
        collect_alone(m, s, &index);
    index_free(&index);
    return ok;
}

/* Numbers of kernels and operations by the source of their durations. */
typedef struct counts {
    uint64_t kernels, one_wave, alone_elsewhere, never_alone, short_waves, instant, measured, across;
    const char *never_name;
} counts;

/* Waves of a kernel, at least 1. */
static int64_t waves_of(const making *m, const prof_op *op)
{
    const gcast_gpu *gpu = recorded_gpu(m);
    unsigned __int128 blocks = (unsigned __int128)op->grid[0] * op->grid[1] * op->grid[2];
    uint64_t wave = blocks_at_a_time(gpu, op);
    unsigned __int128 waves = (blocks + wave - 1) / wave;
    return waves > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)waves;
}

static int64_t block_ns(const making *m, int64_t span_ns, int64_t waves, counts *c)
{
    int64_t gap_ns = recorded_gpu(m)->handover_ns;
    int64_t between_ns = waves - 1 > span_ns / max_i64(gap_ns, 1) ? span_ns : (waves - 1) * gap_ns;
    int64_t ns = (span_ns - between_ns) / waves;
    c->short_waves += span_ns > 0 && ns < 1;
    c->instant += span_ns <= 0;
    return max_i64(ns, 1);
}

/* The span of a kernel that waited for its predecessor. The profile does not say how long it ran before the wait: if it
 * also ran alone, the time alone minus the time after the wait is taken; else nothing. */
static int64_t span_of_waiting(const making *m, size_t i, const span_shape *shape)
{
    made_op *x = &m->ops.at[i];
    const prof_op *op = trace_op(m, i);
    int64_t rest_ns = max_i64(x->span_ns, 1), span_ns = rest_ns;
    if (shape->alone_ns != INT64_MAX && x->waves == 1)
        span_ns = max_i64(rest_ns, min_i64(shape->alone_ns, op->end_ns - op->start_ns));
    x->wait_ns = span_ns - rest_ns;
    return span_ns;
}

/* The span of a launch without the effect of other kernels beside it. */
static int64_t span_alone(const making *m, size_t i, const span_shape *shape, counts *c)
{
    const prof_op *op = trace_op(m, i);
    int64_t span_ns = m->ops.at[i].span_ns;
    if (m->ops.at[i].waits)
        return span_of_waiting(m, i, shape);
    if (!m->ops.at[i].beside)
        return span_ns;
    if (shape->alone_ns != INT64_MAX) {
        c->alone_elsewhere++;
        return min_i64(span_ns, shape->alone_ns);
    }
    c->never_alone++;
    c->never_name = c->never_name ? c->never_name : op->name;
    return shape->shortest_ns;
}

/* Takes the durations of the blocks, if all of them are recorded. False without memory. */
static bool take_blocks(const making *m, made_op *x, const prof_block *blocks, size_t count, counts *c)
{
    const prof_op *op = &m->t->ops[x->op];
    if (!count || (unsigned __int128)op->grid[0] * op->grid[1] * op->grid[2] != count)
        return true;
    for (size_t i = 0; i < count; i++)
        if (blocks[i].block != i)
            return true;
    x->block_ns = malloc(count * sizeof *x->block_ns);
    for (size_t i = 0; x->block_ns && i < count; i++)
        x->block_ns[i] = max_i64(blocks[i].end_ns - blocks[i].start_ns, 1);
    c->measured++;
    return x->block_ns != NULL;
}

static bool take_all_blocks(const making *m, counts *c)
{
    const prof_trace *t = m->t;
    for (size_t first = 0, end; first < t->block_count; first = end) {
        uint32_t op = t->blocks[first].op;
        for (end = first; end < t->block_count && t->blocks[end].op == op; end++)
            ;
        if (op != PROF_NONE && m->op_of[op] != PROF_NONE &&
            !take_blocks(m, &m->ops.at[m->op_of[op]], &t->blocks[first], end - first, c))
            return false;
    }
    return true;
}

static void set_durations(making *m, span_shapes *s, counts *c)
{
    for (size_t i = 0; i < m->ops.count; i++) {
        made_op *x = &m->ops.at[i];
        const prof_op *op = trace_op(m, i);
        if (op->kind != GCAST_KIND_KERNEL) {
            c->instant += op->end_ns <= op->start_ns;
            x->min_ns = x->max_ns = max_i64(x->span_ns, 1);
            continue;
        }
        int64_t waves = waves_of(m, op);
        x->alone_ns = s->list.at[s->shape_of[i]].alone_ns;
        c->kernels++;
        c->one_wave += waves == 1 && can_launch(&recorded_gpu(m)->limits, op);
        x->waves = waves;
        x->min_ns = x->max_ns = block_ns(m, span_alone(m, i, &s->list.at[s->shape_of[i]], c), waves, c);
    }
}

/* Launches are sorted by name, to find the interval of durations of each name. */
typedef struct named {
    const char *name;
    uint32_t op;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    if (x->name != y->name)
        return (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static bool widen(making *m, counts *c)
{
    named *list = malloc((m->ops.count + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; list && i < m->ops.count; i++)
        if (trace_op(m, i)->kind == GCAST_KIND_KERNEL)
            list[count++] = (named){.name = trace_op(m, i)->name, .op = (uint32_t)i};
    if (list)
        qsort(list, count, sizeof *list, by_name);
    for (size_t first = 0, end; list && first < count; first = end) {
        int64_t min_ns = INT64_MAX, max_ns = 0;
        for (end = first; end < count && list[end].name == list[first].name; end++) {
            min_ns = min_i64(min_ns, m->ops.at[list[end].op].min_ns);
            max_ns = max_i64(max_ns, m->ops.at[list[end].op].max_ns);
        }
        for (size_t i = first; i < end; i++) {
            m->ops.at[list[i].op].min_ns = min_ns;
            m->ops.at[list[i].op].max_ns = max_ns;
        }
        c->across += min_ns != max_ns;
    }
    free(list);
    return list != NULL;
}

static bool find_durations(making *m, const counts *c)
{
    prof_findings *f = m->findings;
    return findings_add(f, "{kernel} with records of all blocks: the durations of these are used", NULL, c->measured) &&
           findings_add(f,
                        "{kernel} whose blocks all fit on the GPU at once: if one is persistent (a fixed grid that "
                        "loops), what-ifs with fewer SMs are too optimistic for it",
                        NULL, c->one_wave) &&
           findings_add(f,
                        "{kernel} beside others: block times are those of the shortest launch of the same kernel and "
                        "shape that ran alone",
                        NULL, c->alone_elsewhere) &&
           findings_add(
               f, "{kernel} beside others, and never alone with the same shape: the real block times may be shorter",
               c->never_name, c->never_alone) &&
           findings_add(f, "{kernel} shorter than the hand-overs between its waves: block times of 1 ns are assumed",
                        NULL, c->short_waves) &&
           findings_add(f, "{operation} without a duration in the profile: 1 ns is assumed", NULL, c->instant) &&
           findings_add(f,
                        "{kernel name} with launches whose block times differ: the workload has a range of durations",
                        NULL, c->across);
}

gcast_status make_block_times(making *m)
{
    span_shapes s = {0};
    counts c = {0};
    bool ok = set_beside(m) && collect_shapes(m, &s);
    if (ok) {
        set_durations(m, &s, &c);
        ok = (m->options->durations == PROF_DURATIONS_LAUNCH || widen(m, &c)) && take_all_blocks(m, &c);
    }
    ok = ok && find_durations(m, &c) && residency_findings(m) && launch_findings(m);
    vec_free(&s.list);
    free(s.shape_of);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}

/* make_queued_spans finds how long operations hold their stream, from operations that waited in its queue.
 *
 * A profiler's interval of a kernel is a little wider than that of its blocks. So the recorded gap between a kernel and
 * a successor that waited in the queue is shorter than the GPU's stream gap. The difference is the excess, which is
 * taken off all kernels outside of graphs. If too few kernels waited, the excess is a default that was measured on an
 * H200 with CUPTI 13, but at most half of the GPU's gap.
 *
 * Copies and memsets hold their stream for some microseconds before and after they run. If one waited in the queue, or
 * something waited behind it, this time is added to its span, unless the SMs or the copy engine were busy with
 * something else. */

#define LEAST_GAPS 5       /* a median of fewer gaps says nothing */
#define QUEUED_NS 1000     /* minimum queueing time before the predecessor's end */
#define MOST_HELD_NS 12000 /* limit of the time for which a copy holds its stream before, or after, it runs */

typedef struct queue {
    making *m;
    const gcast_gpu *gpu; /* the GPU of the profile */
    uint32_t *before; /* by ops[]: the predecessor in the stream for which it waited in the queue; PROF_NONE: none */
    int64_t *busy_ns; /* by operation of the trace: the last end of earlier operations of its engine */
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

/* Did the operation wait for its predecessor in the stream and for nothing else? */
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
    for (size_t k = 0; last && k < m->t->op_count; k++) { /* in the order of starts, as some calls are missing */
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

/* How much longer a recorded kernel is than its blocks; -1: no memory. */
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
        ns = min_i64(q->m->options->excess_ns, gap_ns / 2);
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
               .gpu = recorded_gpu(m),
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
