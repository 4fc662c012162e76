#include "whatif/path/lone_kernels.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/run_ops.h"

typedef struct span {
    int64_t from_ns, to_ns;
    size_t run_op;
} span;

static int by_start(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* What a kernel launches, waits for or leaves to workers is not its own work alone. */
static bool is_plain(const gcast_op *op)
{
    return op->policy == GCAST_POLICY_HARDWARE && !op->launches && op->wait_ns == GCAST_NEVER && !op->programmatic;
}

bool lone_kernels_init(lone_kernels *l, const gcast_run *run)
{
    size_t total = run_total(run), count = 0;
    l->is_lone = calloc(total + 1, sizeof *l->is_lone);
    span *spans = calloc(total + 1, sizeof *spans);
    if (!l->is_lone || !spans) {
        free(spans);
        return false;
    }
    for (size_t i = 0; i < total; i++)
        if (!run->ops[i].skipped && run_spec(run, i)->kind == GCAST_KIND_KERNEL)
            spans[count++] = (span){run->ops[i].enter_ns, run->ops[i].end_ns + run->gpu->handover_ns, i};
    if (count)
        qsort(spans, count, sizeof *spans, by_start);
    int64_t busy_until = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        bool before = busy_until > spans[i].from_ns;
        bool behind = i + 1 < count && spans[i + 1].from_ns < spans[i].to_ns;
        l->is_lone[spans[i].run_op] = !before && !behind && is_plain(run_spec(run, spans[i].run_op));
        busy_until = max_i64(busy_until, spans[i].to_ns);
    }
    free(spans);
    return true;
}

void lone_kernels_free(lone_kernels *l)
{
    free(l->is_lone);
}

bool lone_kernels_has(const lone_kernels *l, size_t run_op)
{
    return l->is_lone[run_op];
}
