/* How long a block takes, from how long its kernel took: with R blocks on each of S SMs at a time, a kernel of B blocks
 * is W = B / (R S) waves, rounded up, and between two waves lies the hand-over h: span = W d + (W - 1) h. Where others
 * ran beside the kernel, its span says too much: the shortest of the same launch alone is taken. */
#include <stdlib.h>

#include "base/minmax.h"
#include "gridcast/occupancy.h"
#include "profile/make/make_steps.h"
#include "profile/make/times/kernel_spans.h"
#include "profile/make/times/launch_kind.h"
#include "profile/make/times/span_residency.h"

/* What the durations rest on. */
typedef struct counts {
    uint64_t kernels, one_wave, alone_elsewhere, never_alone, short_waves, instant, measured, across;
    const char *never_name;
} counts;

static const gcast_gpu *recorded_gpu(const making *m)
{
    return m->o->recorded_on ? m->o->recorded_on : m->o->gpu;
}

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

/* Of a kernel that waited for the one before it, what it did before that is not told: as much as it took alone more
 * than from then on, where it ran alone; else nothing. */
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

/* The span of a launch without others beside it. */
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

/* Durations of the blocks, where all of them are recorded. False without memory. */
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

/* The interval of all launches of one name; shapes of one name are found by sorting. */
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
    return findings_add(f, "{kernel} with records of all blocks, whose durations are taken", NULL, c->measured) &&
           findings_add(f,
                        "{kernel} fit on the GPU at once. If one is persistent (fixed grid that loops), what-ifs with "
                        "fewer SMs are "
                        "too optimistic for it",
                        NULL, c->one_wave) &&
           findings_add(f,
                        "{kernel} beside others: blocks take as long as in the shortest launch alone of the same "
                        "kernel and shape",
                        NULL, c->alone_elsewhere) &&
           findings_add(
               f, "{kernel} beside others, and never alone with the same shape: blocks may take less than is said here",
               c->never_name, c->never_alone) &&
           findings_add(f, "{kernel} shorter than the hand-overs between its waves: a block takes 1 ns", NULL,
                        c->short_waves) &&
           findings_add(f, "{operation} without a duration in the profile: 1 ns is taken", NULL, c->instant) &&
           findings_add(f, "{kernel name} with launches whose blocks took more or less time: an interval", NULL,
                        c->across);
}

gcast_status make_block_times(making *m)
{
    span_shapes s = {0};
    counts c = {0};
    bool ok = spans_find_beside(m) && spans_collect(m, &s);
    if (ok) {
        set_durations(m, &s, &c);
        ok = (m->o->durations == PROF_DURATIONS_LAUNCH || widen(m, &c)) && take_all_blocks(m, &c);
    }
    ok = ok && find_durations(m, &c) && residency_findings(m) && launch_findings(m);
    spans_free(&s);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
