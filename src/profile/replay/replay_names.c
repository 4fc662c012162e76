/* Errors by the name of a kernel, and which kernels slow each other down: those that took longer beside others than
 * the simulation says, in which they share SMs and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profile/replay/replay_steps.h"

/* An operation while they are sorted by name. */
typedef struct named_op {
    uintptr_t name;  /* of a kernel: its text; of others the kind and direction */
    gcast_kind kind; /* first of all */
    uint32_t op;
} named_op;

static int by_name(const void *a, const void *b)
{
    const named_op *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static int by_time(const void *a, const void *b)
{
    const replay_name *x = a, *y = b;
    if (x->recorded_ns != y->recorded_ns)
        return x->recorded_ns > y->recorded_ns ? -1 : 1;
    return strcmp(x->label, y->label);
}

static int64_t error_of(const replay_op *op, int which)
{
    return which == 0 ? op->duration_error_ns : which == 1 ? op->start_error_ns : op->end_error_ns;
}

static replay_error sum_up(const prof_replay *r, const named_op *list, size_t count, int which, int64_t *scratch)
{
    replay_error e = {0};
    for (size_t i = 0; i < count; i++) {
        int64_t ns = error_of(&r->ops[list[i].op], which);
        scratch[i] = llabs(ns);
        if (llabs(ns) > llabs(e.largest_ns))
            e.largest_ns = ns;
    }
    qsort(scratch, count, sizeof *scratch, compare_i64);
    e.median_ns = scratch[count / 2];
    return e;
}

static replay_quantiles quantiles_of(const prof_replay *r, int which, int64_t *scratch)
{
    size_t count = r->op_count;
    if (!count)
        return (replay_quantiles){0};
    for (size_t i = 0; i < count; i++)
        scratch[i] = llabs(error_of(&r->ops[i], which));
    qsort(scratch, count, sizeof *scratch, compare_i64);
    return (replay_quantiles){scratch[count / 2], scratch[count - 1 - count / 10]};
}

/* How much longer it took than replayed. What ran before its start in the replay, as it found room earlier, says
 * nothing about how fast it was. */
static int64_t slowed_by(const replay_op *op)
{
    int64_t replayed_ns = op->replayed_end_ns - op->replayed_start_ns;
    int64_t took_ns = op->end_ns - op->start_ns - (op->own_error_ns > 0 ? op->own_error_ns : 0);
    bool is_slowed = took_ns - replayed_ns >= REPLAY_SLOW_NS && took_ns / REPLAY_SLOW_PERCENT > replayed_ns / 100;
    return is_slowed ? took_ns - replayed_ns : 0;
}

static void count_slowed(replaying *x, replay_name *n, uint32_t i)
{
    const prof_made_op *made = &x->made->ops[i];
    int64_t by_ns = slowed_by(&x->r->ops[i]);
    if (replay_trace_op(x, i)->kind != GCAST_KIND_KERNEL || !made->beside)
        return;
    x->r->beside++;
    x->r->never_alone += made->alone_ns == INT64_MAX;
    if (made->alone_ns == INT64_MAX || !by_ns)
        return;
    n->slowed++;
    n->slowed_ns += by_ns;
    x->r->slowed++;
    x->r->slowed_ns += by_ns;
}

static void add_name(replaying *x, const named_op *list, size_t count, int64_t *scratch)
{
    prof_replay *r = x->r;
    replay_name n = {.label = r->ops[list[0].op].label,
                     .launches = count,
                     .duration = sum_up(r, list, count, 0, scratch),
                     .start = sum_up(r, list, count, 1, scratch),
                     .end = sum_up(r, list, count, 2, scratch)};
    for (size_t i = 0; i < count; i++) {
        n.recorded_ns += r->ops[list[i].op].end_ns - r->ops[list[i].op].start_ns;
        count_slowed(x, &n, list[i].op);
    }
    r->names[r->name_count++] = n;
}

bool replay_find_names(replaying *x)
{
    prof_replay *r = x->r;
    named_op *list = malloc((r->op_count + 1) * sizeof *list);
    int64_t *scratch = malloc((r->op_count + 1) * sizeof *scratch);
    r->names = calloc(r->op_count + 1, sizeof *r->names);
    bool ok = list && scratch && r->names;
    for (size_t i = 0; ok && i < r->op_count; i++) {
        const prof_op *op = replay_trace_op(x, i);
        list[i] = (named_op){.kind = op->kind, .op = (uint32_t)i};
        list[i].name = op->kind == GCAST_KIND_KERNEL ? (uintptr_t)op->name
                       : op->kind == GCAST_KIND_COPY ? (uintptr_t)op->direction
                                                     : 0;
    }
    if (ok && r->op_count)
        qsort(list, r->op_count, sizeof *list, by_name);
    for (size_t first = 0, end; ok && first < r->op_count; first = end) {
        for (end = first;
             end < r->op_count && list[end].kind == list[first].kind && list[end].name == list[first].name;)
            end++;
        add_name(x, &list[first], end - first, scratch);
    }
    if (ok) {
        r->duration = quantiles_of(r, 0, scratch);
        r->start = quantiles_of(r, 1, scratch);
    }
    if (ok && r->name_count)
        qsort(r->names, r->name_count, sizeof *r->names, by_time);
    free(list);
    free(scratch);
    return ok;
}
