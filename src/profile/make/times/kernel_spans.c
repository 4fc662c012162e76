#include "profile/make/times/kernel_spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/minmax.h"

#define ALONE_PART                                                                                                     \
    20 /* others beside a kernel for less than a 20th of its time do not count: the end of the one before */

/* For how long an earlier one ran on, and a later one had begun. */
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

bool spans_find_beside(making *m)
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

/* Launches outside of the part that becomes the workload count, too, where they ran alone. */
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

bool spans_collect(const making *m, span_shapes *s)
{
    hash_index index = {0};
    *s = (span_shapes){.shape_of = malloc((m->ops.count + 1) * sizeof *s->shape_of)};
    bool ok = s->shape_of && collect(m, s, &index);
    if (ok)
        collect_alone(m, s, &index);
    index_free(&index);
    return ok;
}

void spans_free(span_shapes *s)
{
    vec_free(&s->list);
    free(s->shape_of);
}
