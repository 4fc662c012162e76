/* gcast_run_check of runs that hang: C-hang (docs/model.md). */
#include "simulate/check/waits/hang_rules.h"

#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "simulate/check/broken.h"
#include "simulate/check/graphs/graph_facts.h"
#include "simulate/check/waits/edge_times.h"
#include "simulate/check/waits/wait_times.h"
#include "simulate/run_ops.h"

/* The last time at which anything happens to i. *resident: its blocks that wait for ever; *started: its blocks that
 * have started. */
static int64_t last_time(const gcast_run *run, const check_orders *o, size_t i, uint64_t *resident, uint64_t *started)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_op *op = run_spec(run, i);
    const int64_t times[] = {r->call_ns,  r->return_ns, r->arrive_ns,     r->head_ns,
                             r->enter_ns, r->start_ns,  r->dispatched_ns, r->end_ns};
    int64_t last = 0;
    bool stays = op->kind == GCAST_KIND_KERNEL && op->wait_ns != GCAST_NEVER && check_open_ns(run, o, i) == CHECK_NEVER;
    *resident = *started = 0;
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        last = max_i64(last, times[k]);
    for (uint64_t place = 0; r->blocks && place < r->block_count; place++) {
        const gcast_block *b = &r->blocks[attributes_block_at(op, place)]; /* as they start */
        if (b->start_ns < 0)
            break;
        (*started)++;
        *resident += stays;
        last = max_i64(last, stays ? b->start_ns + op->wait_ns : b->end_ns);
    }
    return last;
}

/* Does another kernel never enter that is in front of i in its connection? */
static bool connection_holds(const gcast_run *run, size_t i)
{
    bool holds = false;
    for (size_t k = 0; k < run->op_count; k++)
        holds = holds || (run->ops[k].connection >= 0 && run->ops[k].connection == run->ops[i].connection &&
                          !run->ops[k].skipped && run->ops[k].enter_ns < 0 && run->ops[k].launch < run->ops[i].launch);
    return holds;
}

/* N1, N2, or the event of an operation that is never complete, or of a launch. */
static bool other_stream_holds(const gcast_run *run, const check_orders *o, size_t i)
{
    const gcast_op *op = run_spec(run, graph_facts_first(o->graphs, run, i));
    const gcast_stream *streams = run->workload->streams, *own = &streams[op->stream];
    for (size_t k = 0; k < run->op_count; k++) {
        const gcast_run_op *x = &run->ops[k];
        if (x->skipped || graph_facts_end(o->graphs, run, k) < CHECK_NEVER || x->launch >= run->ops[i].launch ||
            !gcast_kind_on_gpu(run_spec(run, k)->kind))
            continue;
        const gcast_stream *stream = &streams[run_spec(run, k)->stream];
        if ((own->id == 0 && stream->id != 0 && stream->blocking) || (own->id != 0 && own->blocking && stream->id == 0))
            return true;
        for (size_t n = 0; n < op->after_count && stream != own; n++)
            if (op->after[n] == x->op && x->job == run->ops[i].job)
                return true;
    }
    return false;
}

/* Does a node with edges never see the last of them? */
static bool edges_hold(const gcast_run *run, const check_orders *o, size_t i)
{
    bool exact;
    return graph_facts_has_edges(o->graphs, run, i) &&
           (check_edges_seen_ns(run, o, i, &exact) == CHECK_NEVER || !exact);
}

/* Can i, which was called and is not complete, never go on? */
static bool is_stuck(const gcast_run *run, const check_orders *o, size_t i, uint64_t resident, uint64_t started)
{
    const gcast_run_op *r = &run->ops[i];
    uint32_t before = check_before(run, o, i);
    if (r->head_ns < 0)
        return true; /* C-stream */
    if (r->enter_ns < 0)
        return connection_holds(run, i) || other_stream_holds(run, o, i) || edges_hold(run, o, i);
    if (run_spec(run, i)->kind != GCAST_KIND_KERNEL)
        return false;
    if (!run->blocks_recorded)
        return true;
    if (started < r->block_count || resident)
        return true; /* C-idle */
    return before != UINT32_MAX && run->ops[before].end_ns < 0;
}

/* An operation that is left, in its place of the list. */
static gcast_status check_left(const gcast_run *run, const check_orders *o, size_t i, size_t place, uint64_t resident,
                               uint64_t started, gcast_error *err)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_hung_op *hung = place < run->hang->op_count ? &run->hang->ops[place] : NULL;
    if (!is_stuck(run, o, i, resident, started))
        return check_broken(run, i, "C-hang", "it could go on, but is not complete", err);
    if (!hung || hung->run_op != i)
        return check_broken(run, i, "C-hang", "it is not complete, and not listed", err);
    bool kernel = run_spec(run, i)->kind == GCAST_KIND_KERNEL;
    if (run->blocks_recorded &&
        (hung->resident != resident || hung->not_started != (kernel ? r->block_count - started : 0)))
        return check_broken(run, i, "C-hang", "other blocks wait or are left than it says", err);
    for (uint64_t n = 0; r->blocks && n < r->block_count; n++) {
        const gcast_block *b = &r->blocks[attributes_block_at(run_spec(run, i), n)];
        if (n < started ? b->end_ns > run->hang->time_ns : b->start_ns >= 0)
            return check_broken(run, i, "C-hang", "a block started after one that never did, or ended after the hang",
                                err);
    }
    return GCAST_OK;
}

gcast_status check_hang(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    int64_t last = 0;
    size_t left = 0;
    if (run->child_count)
        return check_broken(run, 0, "C-hang", "kernels launch kernels in a run that hangs", err);
    for (size_t i = 0; i < run->op_count; i++) {
        uint64_t resident, started;
        if (run->ops[i].skipped)
            continue;
        last = max_i64(last, last_time(run, o, i, &resident, &started));
        if (run->ops[i].end_ns >= 0 || !gcast_kind_on_gpu(run_spec(run, i)->kind))
            continue;
        gcast_status status = check_left(run, o, i, left++, resident, started, err);
        if (status != GCAST_OK)
            return status;
    }
    if (!left || left != run->hang->op_count)
        return check_broken(run, 0, "C-hang", "not as many operations are left as it says", err);
    if (run->blocks_recorded ? last != run->hang->time_ns : last > run->hang->time_ns)
        return check_broken(run, run->hang->ops[0].run_op, "C-hang", "nothing happens when it says that it hangs", err);
    if (run->end_ns != run->hang->time_ns)
        return check_broken(run, run->hang->ops[0].run_op, "C-hang", "it does not end when it hangs", err);
    return GCAST_OK;
}
