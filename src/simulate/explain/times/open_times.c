#include "simulate/explain/times/open_times.h"

#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/attributes/programmatic.h"
#include "model/workload/dependencies/dependencies.h"
#include "simulate/run_ops.h"

size_t open_times_before(const gcast_run *run, const run_index *x, size_t i, int places)
{
    for (; places > 0 && i != SIZE_MAX; places--) {
        size_t first, launch = i < run->op_count ? x->nodes.launch_first[i] : i;
        size_t end = older_ops_before(&x->streams, run_spec(run, i)->stream, run->ops[launch].launch, &first);
        i = end > first ? x->streams.all.at[end - 1].run_op : SIZE_MAX;
    }
    return i;
}

size_t open_times_primary(const gcast_run *run, const run_index *x, size_t i)
{
    size_t before = run_spec(run, i)->programmatic ? open_times_before(run, x, i, 1) : SIZE_MAX;
    return before != SIZE_MAX && run_spec(run, before)->graph == GCAST_NO_GRAPH ? before : SIZE_MAX;
}

/* The time of an operation comes before that of *next, and after `after`. */
static void offer(int64_t time, size_t operation, int64_t after, int64_t *best, size_t *next)
{
    if (time <= after || (*next != SIZE_MAX && time >= *best))
        return;
    *best = time;
    *next = operation;
}

size_t open_times_next_end(const gcast_run *run, const run_index *x, size_t i, int64_t *time)
{
    const gcast_op *op = run_spec(run, i);
    size_t primary = open_times_primary(run, x, i), next = SIZE_MAX;
    int64_t gap = programmatic_wait_of(run->gpu), node_gap = programmatic_node_wait_of(run->gpu), best = *time;
    if (primary != SIZE_MAX)
        offer(run->ops[primary].end_ns + gap, primary, *time, &best, &next);
    for (size_t k = 0; k < op->after_count; k++) {
        if (!node_times_waits(&x->nodes, run, i, k))
            continue;
        size_t before = dependencies_operation(i, run->ops[i].op, op->after[k]);
        offer(x->nodes.done_ns[before] + node_gap, x->nodes.done_by[before], *time, &best, &next);
    }
    *time = best;
    return next;
}

size_t open_times_next_start(const gcast_run *run, size_t i, int64_t *time)
{
    const gcast_op *op = run_spec(run, i);
    size_t next = SIZE_MAX;
    int64_t best = *time;
    for (size_t k = 0; k < op->waits_for_count; k++) {
        size_t named = dependencies_operation(i, run->ops[i].op, op->waits_for[k]);
        offer(run->ops[named].dispatched_ns, named, *time, &best, &next);
    }
    *time = best;
    return next;
}

/* From when on nothing holds blocks of i that wait. */
static int64_t open_ns(const gcast_run *run, const run_index *x, size_t i)
{
    int64_t time = 0;
    while (open_times_next_end(run, x, i, &time) != SIZE_MAX)
        ;
    while (open_times_next_start(run, i, &time) != SIZE_MAX)
        ;
    return time;
}

int64_t open_times_triggered(const gcast_run *run, const run_index *x, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    const gcast_run_op *r = &run->ops[i];
    bool after_wait = op->trigger_ns != GCAST_NEVER && attributes_waits(op) && op->trigger_ns > op->wait_ns;
    int64_t last = 0, open = after_wait ? open_ns(run, x, i) - op->wait_ns : 0;
    for (uint64_t b = 0; b < r->block_count; b++) {
        int64_t from = max_i64(r->blocks[b].start_ns, open);
        int64_t time = op->trigger_ns == GCAST_NEVER ? r->blocks[b].end_ns : from + op->trigger_ns;
        last = max_i64(last, min_i64(time, r->blocks[b].end_ns));
    }
    return last;
}
