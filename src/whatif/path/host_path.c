#include "whatif/path/host_path.h"

#include <stdint.h>
#include <stdlib.h>

#include "simulate/run_ops.h"

bool host_order_init(host_order *h, const gcast_run *run)
{
    size_t hosts = run->workload->host_count;
    size_t *last = malloc((hosts + 1) * sizeof *last);
    h->before = malloc((run->op_count + 1) * sizeof *h->before);
    if (!last || !h->before) {
        free(last);
        return false;
    }
    for (size_t i = 0; i < hosts; i++)
        last[i] = SIZE_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        int host = run_spec(run, i)->host;
        h->before[i] = host == GCAST_NO_HOST ? SIZE_MAX : last[host];
        if (host != GCAST_NO_HOST && !run->ops[i].skipped)
            last[host] = i;
    }
    free(last);
    return true;
}

void host_order_free(host_order *h)
{
    free(h->before);
}

host_cause host_cause_of_release(const host_order *h, const gcast_run *run, size_t run_op)
{
    const gcast_run_op *r = &run->ops[run_op];
    size_t before = h->before[run_op];
    if (before == SIZE_MAX || run->ops[before].return_ns + run_spec(run, run_op)->delay_ns != r->release_ns)
        return (host_cause){SIZE_MAX, 0, false};
    return (host_cause){before, run->ops[before].return_ns, false};
}

/* The operation of the GPU, called before this one, that ended when it returned. */
static host_cause waited_operation(const gcast_run *run, size_t run_op, int stream)
{
    const gcast_run_op *r = &run->ops[run_op];
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        if (!o->skipped && gcast_kind_on_gpu(op->kind) && o->launch < r->launch && o->end_ns == r->return_ns &&
            (stream < 0 || op->stream == stream))
            return (host_cause){i, o->end_ns, false};
    }
    return (host_cause){SIZE_MAX, 0, false};
}

static host_cause waited_host(const gcast_run *run, size_t run_op)
{
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_op *op = run_spec(run, i);
        if (i != run_op && !run->ops[i].skipped && op->kind == GCAST_KIND_BARRIER &&
            op->barrier == run_spec(run, run_op)->barrier && run->ops[i].call_ns == run->ops[run_op].return_ns)
            return (host_cause){i, run->ops[i].call_ns, true};
    }
    return (host_cause){SIZE_MAX, 0, false};
}

host_cause host_cause_of_return(const gcast_run *run, size_t run_op)
{
    const gcast_op *op = run_spec(run, run_op);
    switch (op->kind) {
    case GCAST_KIND_SYNC:
        return waited_operation(run, run_op, op->stream);
    case GCAST_KIND_FREE:
        return waited_operation(run, run_op, -1);
    case GCAST_KIND_BARRIER:
        return waited_host(run, run_op);
    default:
        return (host_cause){SIZE_MAX, 0, false};
    }
}
