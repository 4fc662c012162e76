#include "measure/copies.h"

#include <stdlib.h>

static int by_end(const void *a, const void *b)
{
    const gcast_run_op *x = *(gcast_run_op *const *)a, *y = *(gcast_run_op *const *)b;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

gcast_status copies_settle(const gcast_workload *w, gcast_run_op *ops, size_t count, gcast_error *err)
{
    gcast_run_op **list = malloc((count + 1) * sizeof *list);
    if (!list)
        return gcast_fail_memory(err);
    for (int direction = GCAST_H2D; direction <= GCAST_D2H; direction++) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            const gcast_op *op = &w->ops[ops[i].op];
            if (op->kind == GCAST_KIND_COPY && (int)op->direction == direction && !ops[i].skipped)
                list[n++] = &ops[i];
        }
        qsort(list, n, sizeof *list, by_end);
        for (size_t i = 1; i < n; i++)
            if (list[i]->start_ns < list[i - 1]->end_ns)
                list[i]->start_ns = list[i]->dispatched_ns = list[i - 1]->end_ns;
    }
    free(list);
    return GCAST_OK;
}
