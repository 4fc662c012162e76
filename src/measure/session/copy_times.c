#include "measure/session/copy_times.h"

#include <stdlib.h>

#include "base/minmax.h"

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
    if (o->start_ns < ns)
        o->start_ns = o->dispatched_ns = min_i64(ns, o->end_ns);
}

/* `list` is in the order of launches. */
static void correct_in_streams(const gcast_workload *w, gcast_run_op **list, size_t count, int64_t *ends)
{
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &w->ops[list[i]->op];
        if (op->kind != GCAST_KIND_KERNEL)
            start_not_before(list[i], ends[op->stream]);
        ends[op->stream] = list[i]->end_ns;
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

gcast_status copies_correct_starts(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err)
{
    gcast_run_op **list = malloc((count + 1) * sizeof *list);
    int64_t *ends = calloc(w->stream_count + 1, sizeof *ends);
    size_t n = 0;
    for (size_t i = 0; list && i < count; i++)
        if (gcast_kind_on_gpu(w->ops[ops[i].op].kind) && !ops[i].skipped)
            list[n++] = &ops[i];
    if (list && ends) {
        qsort(list, n, sizeof *list, by_launch);
        correct_in_streams(w, list, n, ends);
        qsort(list, n, sizeof *list, by_end);
        correct_in_engine(w, list, n, GCAST_H2D);
        correct_in_engine(w, list, n, GCAST_D2H);
    }
    gcast_status status = list && ends ? GCAST_OK : gcast_error_set_memory(err);
    free(list);
    free(ends);
    return status;
}
