#include "whatif/path/stream_order.h"

#include <stdint.h>
#include <stdlib.h>

#include "simulate/run_ops.h"

typedef struct called {
    uint64_t launch;
    size_t run_op;
} called;

static int by_launch(const void *a, const void *b)
{
    const called *x = a, *y = b;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

/* `last`: by stream. */
static void link_calls(stream_order *s, const gcast_run *run, called *calls, size_t *last)
{
    size_t count = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        s->before[i] = SIZE_MAX;
        if (!run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind))
            calls[count++] = (called){run->ops[i].launch, i};
    }
    if (count)
        qsort(calls, count, sizeof *calls, by_launch);
    for (size_t i = 0; i < run->workload->stream_count; i++)
        last[i] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        int stream = run_spec(run, calls[i].run_op)->stream;
        s->before[calls[i].run_op] = last[stream];
        last[stream] = calls[i].run_op;
    }
}

bool stream_order_init(stream_order *s, const gcast_run *run)
{
    called *calls = malloc((run->op_count + 1) * sizeof *calls);
    size_t *last = malloc((run->workload->stream_count + 1) * sizeof *last);
    s->before = malloc((run->op_count + 1) * sizeof *s->before);
    bool ok = calls && last && s->before;
    if (ok)
        link_calls(s, run, calls, last);
    free(calls);
    free(last);
    return ok;
}

void stream_order_free(stream_order *s)
{
    free(s->before);
}
