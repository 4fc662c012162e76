#include "simulate/explain/attributes/programmatic_waits.h"

#include "base/minmax.h"
#include "model/run_children.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/attributes/programmatic.h"
#include "simulate/explain/times/open_times.h"
#include "simulate/explain/wait_list.h"
#include "simulate/run_ops.h"

void explain_overlap(explain *e, const gcast_run *run, size_t subject, int64_t *start)
{
    const gcast_run_op *r = &run->ops[subject];
    size_t primary = open_times_primary(run, e->index, subject);
    if (primary == SIZE_MAX || run_spec(run, primary)->kind != GCAST_KIND_KERNEL ||
        r->head_ns >= run->ops[primary].end_ns + run->gpu->stream_gap_ns)
        return;
    int64_t triggered = open_times_triggered(run, e->index, primary);
    int64_t seen = min_i64(triggered + programmatic_gap_of(run->gpu), r->head_ns);
    if (seen > *start) {
        explain_add_for(e, GCAST_WHY_TRIGGER, *start, seen, primary);
        *start = seen;
    }
    if (r->head_ns > *start) {
        size_t oldest = open_times_before(run, e->index, subject, programmatic_depth_of(run->gpu));
        explain_add_for(e, GCAST_WHY_DEPTH, *start, r->head_ns, oldest == SIZE_MAX ? primary : oldest);
        *start = r->head_ns;
    }
}

/* A block waits from *time on, for ends of operations and then for starts. */
static void explain_block_waits(explain *e, const gcast_run *run, size_t subject, int64_t *time)
{
    for (int64_t from = *time;; from = *time) {
        size_t holder = open_times_next_end(run, e->index, subject, time);
        if (holder == SIZE_MAX)
            break;
        explain_add_for(e, GCAST_WHY_GRID_WAIT, from, *time, holder);
    }
    for (int64_t from = *time;; from = *time) {
        size_t holder = open_times_next_start(run, subject, time);
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
    size_t primary = open_times_primary(run, e->index, subject);
    if (primary != SIZE_MAX && run->ops[subject].end_ns > end)
        explain_add_for(e, GCAST_WHY_IN_ORDER, end, run->ops[subject].end_ns, primary);
}
