#include "measure/session/copy_times.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/dependencies/dependencies.h"

static int by_launch(const void *a, const void *b)
{
    const gcast_run_op *x = *(gcast_run_op *const *)a, *y = *(gcast_run_op *const *)b;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static int by_end(const void *a, const void *b)
{
    const gcast_run_op *x = *(gcast_run_op *const *)a, *y = *(gcast_run_op *const *)b;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return by_launch(a, b);
}

static void start_not_before(gcast_run_op *o, int64_t ns)
{
    o->start_ns = o->dispatched_ns = max_i64(o->start_ns, ns);
    if (o->end_ns != COPY_END_UNSEEN)
        o->start_ns = o->dispatched_ns = min_i64(o->start_ns, o->end_ns);
}

/* The event behind a copy in a graph comes up to some microseconds late, or there is none: a kernel that is after the
 * copy has started before. */
static void correct_ends(const gcast_workload *w, gcast_run_op *ops, gcast_run_op *o)
{
    const gcast_op *op = &w->ops[o->op];
    for (size_t k = 0; op->graph != GCAST_NO_GRAPH && op->kind == GCAST_KIND_KERNEL && k < op->after_count; k++) {
        gcast_run_op *before = &ops[dependencies_operation((size_t)(o - ops), o->op, op->after[k])];
        if (w->ops[before->op].kind != GCAST_KIND_KERNEL && w->ops[before->op].graph == op->graph)
            before->end_ns = min_i64(before->end_ns, o->start_ns);
    }
}

/* A node starts after those of its graph that it is after. */
static void correct_in_graph(const gcast_workload *w, const gcast_run_op *ops, gcast_run_op *o)
{
    const gcast_op *op = &w->ops[o->op];
    for (size_t k = 0; op->graph != GCAST_NO_GRAPH && k < op->after_count; k++)
        if (w->ops[op->after[k]].graph == op->graph)
            start_not_before(o, ops[dependencies_operation((size_t)(o - ops), o->op, op->after[k])].end_ns);
}

/* `list` is in the order of launches. The nodes of a graph are one in their stream. */
static void correct_in_streams(const gcast_workload *w, const gcast_run_op *ops, gcast_run_op **list, size_t count,
                               int64_t *ends)
{
    for (size_t i = 0, next; i < count; i = next) {
        int stream = w->ops[list[i]->op].stream;
        int64_t end = INT64_MIN;
        next = i + 1;
        while (next < count && attributes_is_next_node(w, list[next]->op))
            next++;
        for (size_t k = i; k < next; k++) {
            if (w->ops[list[k]->op].programmatic) /* complete with what is before it, at the earliest */
                list[k]->end_ns = max_i64(list[k]->end_ns, ends[stream]);
            if (w->ops[list[k]->op].kind != GCAST_KIND_KERNEL) {
                start_not_before(list[k], ends[stream]);
                correct_in_graph(w, ops, list[k]);
                if (list[k]->end_ns == COPY_END_UNSEEN)
                    list[k]->end_ns = list[k]->start_ns;
            }
            end = max_i64(end, list[k]->end_ns);
        }
        ends[stream] = end;
    }
}

/* `list` is in the order of ends. */
static void correct_in_engine(const gcast_workload *w, gcast_run_op **list, size_t count, gcast_direction direction)
{
    int64_t last_end = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &w->ops[list[i]->op];
        if (op->kind != GCAST_KIND_COPY || op->direction != direction)
            continue;
        start_not_before(list[i], last_end);
        last_end = list[i]->end_ns;
    }
}

gcast_status copies_correct_times(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err)
{
    gcast_run_op **list = malloc((count + 1) * sizeof *list);
    int64_t *ends = calloc(w->stream_count + 1, sizeof *ends);
    size_t n = 0;
    for (size_t i = 0; list && i < count; i++)
        if (gcast_kind_on_gpu(w->ops[ops[i].op].kind) && !ops[i].skipped)
            list[n++] = &ops[i];
    if (list && ends) {
        for (size_t i = 0; i < n; i++)
            correct_ends(w, ops, list[i]);
        qsort(list, n, sizeof *list, by_launch);
        correct_in_streams(w, ops, list, n, ends);
        qsort(list, n, sizeof *list, by_end);
        correct_in_engine(w, list, n, GCAST_H2D);
        correct_in_engine(w, list, n, GCAST_D2H);
    }
    gcast_status status = list && ends ? GCAST_OK : gcast_error_set_memory(err);
    free(list);
    free(ends);
    return status;
}
