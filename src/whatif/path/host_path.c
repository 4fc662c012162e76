#include "whatif/path/host_path.h"

#include <stdint.h>
#include <stdlib.h>

#include "simulate/run_ops.h"

/* Sorts times; of equal ones the operation that is first in the run. */
static int by_time(const void *a, const void *b)
{
    const timed_op *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* Ends of operations of the GPU, and calls of barriers, by time. */
static bool list_times(host_order *h, const gcast_run *run)
{
    h->ends = malloc((run->op_count + 1) * sizeof *h->ends);
    h->barriers = malloc((run->op_count + 1) * sizeof *h->barriers);
    if (!h->ends || !h->barriers)
        return false;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        gcast_kind kind = run_spec(run, i)->kind;
        if (!r->skipped && gcast_kind_on_gpu(kind))
            h->ends[h->end_count++] = (timed_op){r->end_ns, i};
        if (!r->skipped && kind == GCAST_KIND_BARRIER)
            h->barriers[h->barrier_count++] = (timed_op){r->call_ns, i};
    }
    if (h->end_count)
        qsort(h->ends, h->end_count, sizeof *h->ends, by_time);
    if (h->barrier_count)
        qsort(h->barriers, h->barrier_count, sizeof *h->barriers, by_time);
    return true;
}

bool host_order_init(host_order *h, const gcast_run *run)
{
    size_t hosts = run->workload->host_count;
    size_t *last = malloc((hosts + 1) * sizeof *last);
    *h = (host_order){.before = malloc((run->op_count + 1) * sizeof *h->before)};
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
    return list_times(h, run);
}

void host_order_free(host_order *h)
{
    free(h->before);
    free(h->ends);
    free(h->barriers);
}

/* The first of a list at this time, or behind it. */
static size_t find_time(const timed_op *list, size_t count, int64_t time_ns)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
static host_cause waited_operation(const host_order *h, const gcast_run *run, size_t run_op, int stream)
{
    const gcast_run_op *r = &run->ops[run_op];
    size_t i = find_time(h->ends, h->end_count, r->return_ns);
    for (; i < h->end_count && h->ends[i].time_ns == r->return_ns; i++) {
        size_t other = h->ends[i].run_op;
        if (run->ops[other].launch < r->launch && (stream < 0 || run_spec(run, other)->stream == stream))
            return (host_cause){other, r->return_ns, false};
    }
    return (host_cause){SIZE_MAX, 0, false};
}

static host_cause waited_host(const host_order *h, const gcast_run *run, size_t run_op)
{
    int64_t return_ns = run->ops[run_op].return_ns;
    size_t i = find_time(h->barriers, h->barrier_count, return_ns);
    for (; i < h->barrier_count && h->barriers[i].time_ns == return_ns; i++) {
        size_t other = h->barriers[i].run_op;
        if (other != run_op && run_spec(run, other)->barrier == run_spec(run, run_op)->barrier)
            return (host_cause){other, return_ns, true};
    }
    return (host_cause){SIZE_MAX, 0, false};
}

host_cause host_cause_of_return(const host_order *h, const gcast_run *run, size_t run_op)
{
    const gcast_op *op = run_spec(run, run_op);
    switch (op->kind) {
    case GCAST_KIND_SYNC:
        return waited_operation(h, run, run_op, op->stream);
    case GCAST_KIND_FREE:
        return waited_operation(h, run, run_op, -1);
    case GCAST_KIND_BARRIER:
        return waited_host(h, run, run_op);
    default:
        return (host_cause){SIZE_MAX, 0, false};
    }
}
