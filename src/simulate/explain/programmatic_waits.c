/* When blocks that wait may go on, when kernels have triggered, and the waits that follow from that. */
#include "simulate/explain/programmatic_waits.h"

#include "base/integers.h"
#include "model/gpu.h"
#include "model/run_op.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"
#include "simulate/explain/explanation.h"
#include "simulate/run_ops.h"

/* The operation called `places` before i in its stream; SIZE_MAX: none. A launch of a graph counts as one operation,
 * its last node. */
static size_t operation_before(const gcast_run *run, const run_index *x, size_t i, int places)
{
    for (; places > 0 && i != SIZE_MAX; places--) {
        size_t first, launch = i < run->op_count ? x->nodes.launch_first[i] : i;
        size_t end = older_ops_before(&x->streams, run_spec(run, i)->stream, run->ops[launch].launch, &first);
        i = end > first ? x->streams.all.at[end - 1].run_op : SIZE_MAX;
    }
    return i;
}

/* The operation that a programmatic kernel overlaps with, or whose end its blocks wait for; SIZE_MAX: there is none. */
static size_t primary_of(const gcast_run *run, const run_index *x, size_t i)
{
    size_t before = run_spec(run, i)->programmatic ? operation_before(run, x, i, 1) : SIZE_MAX;
    return before != SIZE_MAX && run_spec(run, before)->graph == GCAST_NO_GRAPH ? before : SIZE_MAX;
}

/* Sets *next and *best to an operation and its time, if the time is later than `after` and earlier than *best. */
static void offer(int64_t time, size_t operation, int64_t after, int64_t *best, size_t *next)
{
    if (time <= after || (*next != SIZE_MAX && time >= *best))
        return;
    *best = time;
    *next = operation;
}

/* Of the operations for whose ends blocks of i wait, the first whose end is seen after *time, which becomes that time;
 * SIZE_MAX: none. */
static size_t next_end(const gcast_run *run, const run_index *x, size_t i, int64_t *time)
{
    const gcast_op *op = run_spec(run, i);
    size_t primary = primary_of(run, x, i), next = SIZE_MAX;
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

/* The same for kernels whose blocks must all have started. */
static size_t next_start(const gcast_run *run, size_t i, int64_t *time)
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

/* When nothing holds blocks of i that wait any more. */
static int64_t open_ns(const gcast_run *run, const run_index *x, size_t i)
{
    int64_t time = 0;
    while (next_end(run, x, i, &time) != SIZE_MAX)
        ;
    while (next_start(run, i, &time) != SIZE_MAX)
        ;
    return time;
}

int64_t explain_triggered_ns(const gcast_run *run, const run_index *x, size_t i)
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

void explain_overlap(explain *e, const gcast_run *run, size_t subject, int64_t *start)
{
    const gcast_run_op *r = &run->ops[subject];
    size_t primary = primary_of(run, e->index, subject);
    if (primary == SIZE_MAX || run_spec(run, primary)->kind != GCAST_KIND_KERNEL ||
        r->head_ns >= run->ops[primary].end_ns + run->gpu->stream_gap_ns)
        return;
    int64_t triggered = explain_triggered_ns(run, e->index, primary);
    int64_t seen = min_i64(triggered + programmatic_gap_of(run->gpu), r->head_ns);
    if (seen > *start) {
        explain_add_for(e, GCAST_WHY_TRIGGER, *start, seen, primary);
        *start = seen;
    }
    if (r->head_ns > *start) {
        size_t oldest = operation_before(run, e->index, subject, programmatic_depth_of(run->gpu));
        explain_add_for(e, GCAST_WHY_DEPTH, *start, r->head_ns, oldest == SIZE_MAX ? primary : oldest);
        *start = r->head_ns;
    }
}

/* Adds the waits of a block from *time on, for ends of operations and then for starts. */
static void explain_block_waits(explain *e, const gcast_run *run, size_t subject, int64_t *time)
{
    for (int64_t from = *time;; from = *time) {
        size_t holder = next_end(run, e->index, subject, time);
        if (holder == SIZE_MAX)
            break;
        explain_add_for(e, GCAST_WHY_GRID_WAIT, from, *time, holder);
    }
    for (int64_t from = *time;; from = *time) {
        size_t holder = next_start(run, subject, time);
        if (holder == SIZE_MAX)
            break;
        explain_add_for(e, GCAST_WHY_BLOCK_WAIT, from, *time, holder);
    }
}

void explain_block_run(explain *e, const gcast_run *run, size_t subject, const gcast_block *b, int64_t start)
{
    const gcast_op *op = run_spec(run, subject);
    if (attributes_waits(op)) {
        int64_t time = b->start_ns + op->wait_ns;
        explain_add(e, GCAST_WHY_RUN, start, time, 0, NULL, 0);
        explain_block_waits(e, run, subject, &time);
        start = time;
    }
    explain_add(e, GCAST_WHY_RUN, start, run_blocks_end_ns(run, subject), 0, NULL, 0);
}

void explain_in_order(explain *e, const gcast_run *run, size_t subject)
{
    int64_t end = run_blocks_end_ns(run, subject);
    size_t primary = primary_of(run, e->index, subject);
    if (primary != SIZE_MAX && run->ops[subject].end_ns > end)
        explain_add_for(e, GCAST_WHY_IN_ORDER, end, run->ops[subject].end_ns, primary);
}
