#include "simulate/explain/attributes/programmatic_waits.h"

#include "base/minmax.h"
#include "model/run_children.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/attributes/programmatic.h"
#include "model/workload/dependencies/dependencies.h"
#include "simulate/explain/wait_list.h"
#include "simulate/run_ops.h"

/* The operation called `places` before i in its stream; SIZE_MAX. */
static size_t before_in_stream(const gcast_run *run, size_t i, int places)
{
    for (; places > 0 && i != SIZE_MAX; places--) {
        size_t last = SIZE_MAX;
        for (size_t k = 0; k < run->op_count; k++)
            if (!run->ops[k].skipped && run_spec(run, k)->stream == run_spec(run, i)->stream &&
                gcast_kind_on_gpu(run_spec(run, k)->kind) && run->ops[k].launch < run->ops[i].launch &&
                (last == SIZE_MAX || run->ops[k].launch > run->ops[last].launch))
                last = k;
        i = last;
    }
    return i;
}

/* The operation that a programmatic kernel overlaps with, or whose end its blocks wait for; SIZE_MAX: there is none. */
static size_t primary_of(const gcast_run *run, size_t i)
{
    return run_spec(run, i)->programmatic ? before_in_stream(run, i, 1) : SIZE_MAX;
}

/* When nothing holds blocks of i any more that wait, by the operation before it. */
static int64_t grid_open_ns(const gcast_run *run, size_t i)
{
    size_t primary = primary_of(run, i);
    return primary == SIZE_MAX ? 0 : run->ops[primary].end_ns + programmatic_wait_of(run->gpu);
}

/* When the last kernel of waits_for had started all its blocks, of those after t the first; SIZE_MAX: none is after t.
 */
static size_t next_started(const gcast_run *run, size_t i, int64_t t)
{
    const gcast_op *op = run_spec(run, i);
    size_t next = SIZE_MAX;
    for (size_t k = 0; k < op->waits_for_count; k++) {
        size_t named = dependencies_operation(i, run->ops[i].op, op->waits_for[k]);
        int64_t started = run->ops[named].dispatched_ns;
        if (started > t && (next == SIZE_MAX || started < run->ops[next].dispatched_ns))
            next = named;
    }
    return next;
}

/* When a block goes on after its wait. */
static int64_t resume_ns(const gcast_run *run, size_t i, int64_t start)
{
    int64_t t = max_i64(start + run_spec(run, i)->wait_ns, grid_open_ns(run, i));
    for (size_t named; (named = next_started(run, i, t)) != SIZE_MAX;)
        t = run->ops[named].dispatched_ns;
    return t;
}

/* When it was seen that all blocks of the kernel i had triggered or ended. */
static int64_t trigger_seen_ns(const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    const gcast_run_op *r = &run->ops[i];
    int64_t last = 0;
    for (uint64_t b = 0; b < r->block_count; b++) {
        int64_t from = r->blocks[b].start_ns;
        if (op->trigger_ns != GCAST_NEVER && attributes_waits(op) && op->trigger_ns > op->wait_ns)
            from = resume_ns(run, i, from) - op->wait_ns;
        int64_t time = op->trigger_ns == GCAST_NEVER ? r->blocks[b].end_ns : from + op->trigger_ns;
        last = max_i64(last, min_i64(time, r->blocks[b].end_ns));
    }
    return last + programmatic_gap_of(run->gpu);
}

void explain_overlap(explain *e, const gcast_run *run, size_t subject, int64_t *start)
{
    const gcast_run_op *r = &run->ops[subject];
    size_t primary = primary_of(run, subject);
    if (primary == SIZE_MAX || run_spec(run, primary)->kind != GCAST_KIND_KERNEL ||
        r->head_ns >= run->ops[primary].end_ns + run->gpu->stream_gap_ns)
        return;
    int64_t seen = min_i64(trigger_seen_ns(run, primary), r->head_ns);
    if (seen > *start) {
        explain_add_for(e, GCAST_WHY_TRIGGER, *start, seen, primary);
        *start = seen;
    }
    if (r->head_ns > *start) {
        size_t oldest = before_in_stream(run, subject, programmatic_depth_of(run->gpu));
        explain_add_for(e, GCAST_WHY_DEPTH, *start, r->head_ns, oldest == SIZE_MAX ? primary : oldest);
        *start = r->head_ns;
    }
}

void explain_block_run(explain *e, const gcast_run *run, size_t subject, const gcast_block *b, int64_t start)
{
    const gcast_op *op = run_spec(run, subject);
    if (attributes_waits(op)) {
        int64_t t = b->start_ns + op->wait_ns, open = grid_open_ns(run, subject);
        explain_add(e, GCAST_WHY_RUN, start, t, 0, NULL, 0);
        if (open > t) {
            explain_add_for(e, GCAST_WHY_GRID_WAIT, t, open, primary_of(run, subject));
            t = open;
        }
        for (size_t named; (named = next_started(run, subject, t)) != SIZE_MAX; t = run->ops[named].dispatched_ns)
            explain_add_for(e, GCAST_WHY_BLOCK_WAIT, t, run->ops[named].dispatched_ns, named);
        start = t;
    }
    explain_add(e, GCAST_WHY_RUN, start, run_blocks_end_ns(run, subject), 0, NULL, 0);
}

void explain_in_order(explain *e, const gcast_run *run, size_t subject)
{
    int64_t end = run_blocks_end_ns(run, subject);
    size_t primary = primary_of(run, subject);
    if (primary != SIZE_MAX && run->ops[subject].end_ns > end)
        explain_add_for(e, GCAST_WHY_IN_ORDER, end, run->ops[subject].end_ns, primary);
}
