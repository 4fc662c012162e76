/* Times of triggers, waits and edges; and C-hang, the invariant of runs that hang (docs/model.md). */
#include "simulate/check/wait_times.h"

#include "base/integers.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"
#include "simulate/check/graph_facts.h"
#include "simulate/check/run_order.h"
#include "simulate/run_ops.h"

uint32_t check_before(const gcast_run *run, const check_orders *o, size_t i)
{
    uint32_t before = run_spec(run, i)->programmatic && o->before ? o->before[i] : UINT32_MAX;
    return before != UINT32_MAX && run_spec(run, before)->graph == GCAST_NO_GRAPH ? before : UINT32_MAX;
}

static bool waits(const gcast_op *op)
{
    return op->wait_ns != GCAST_NEVER;
}

/* A gap of programmatic launches: at most the stream gap, which also stands for an unknown one. */
static int64_t gap(const gcast_run *run, int64_t ns)
{
    return ns > 0 ? min_i64(ns, run->gpu->stream_gap_ns) : run->gpu->stream_gap_ns;
}

int64_t check_open_ns(const gcast_run *run, const check_orders *o, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    uint32_t before = check_before(run, o, i);
    int64_t open = graph_facts_before(o->graphs, run, i);
    if (open)
        open += run->gpu->graph_wait_ns ? run->gpu->graph_wait_ns : gap(run, run->gpu->programmatic_wait_ns);
    if (before != UINT32_MAX)
        open = check_end_ns(run, &run->ops[before]) + gap(run, run->gpu->programmatic_wait_ns);
    for (size_t k = 0; k < op->waits_for_count; k++) {
        size_t named = i + op->waits_for[k] - run->ops[i].op; /* operations of a job are in the order of the workload */
        int64_t started = named < run->op_count ? run->ops[named].dispatched_ns : -1;
        open = max_i64(open, started < 0 ? CHECK_NEVER : started);
    }
    return min_i64(open, CHECK_NEVER);
}

bool check_stays(const gcast_run *run, const check_orders *o, size_t i)
{
    return run->hang && waits(run_spec(run, i)) && check_open_ns(run, o, i) == CHECK_NEVER;
}

int64_t check_resume_ns(const gcast_run *run, const check_orders *o, size_t i, int64_t start_ns)
{
    return max_i64(start_ns + run_spec(run, i)->wait_ns, check_open_ns(run, o, i));
}

/* When a block of i has triggered or ended; `open`: when blocks of i that wait may go on. */
static int64_t block_trigger_ns(const gcast_run *run, size_t i, const gcast_block *b, int64_t open)
{
    const gcast_op *op = run_spec(run, i);
    bool stays = waits(op) && open >= CHECK_NEVER;
    if (b->start_ns < 0)
        return CHECK_NEVER;
    if (waits(op) && op->trigger_ns <= op->wait_ns)
        return b->start_ns + op->trigger_ns;
    if (stays)
        return CHECK_NEVER;
    int64_t runs_from = waits(op) ? max_i64(b->start_ns + op->wait_ns, open) - op->wait_ns : b->start_ns;
    return op->trigger_ns == GCAST_NEVER ? b->end_ns : min_i64(b->end_ns, runs_from + op->trigger_ns);
}

/* When all blocks of the kernel i have triggered or ended, where blocks are recorded; CHECK_NEVER. */
static int64_t check_trigger_ns(const gcast_run *run, const check_orders *o, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    int64_t last = -1;
    int64_t open = waits(run_spec(run, i)) ? check_open_ns(run, o, i) : 0;
    for (uint64_t b = 0; b < r->block_count && last < CHECK_NEVER; b++)
        last = max_i64(last, block_trigger_ns(run, i, &r->blocks[b], open));
    return min_i64(last, CHECK_NEVER);
}

int64_t check_overlap_ns(const gcast_run *run, const check_orders *o, size_t i)
{
    uint32_t before = check_before(run, o, i), y = (uint32_t)i;
    int depth = run->gpu->programmatic_depth ? run->gpu->programmatic_depth : 8;
    if (before == UINT32_MAX || run_spec(run, before)->kind != GCAST_KIND_KERNEL)
        return CHECK_NEVER;
    if (!run->ops[before].blocks)
        return -1;
    for (int n = 0; n < depth && y != UINT32_MAX; n++)
        y = o->before[y];
    int64_t left = y == UINT32_MAX ? 0 : graph_facts_end(o->graphs, run, y) + run->gpu->stream_gap_ns;
    int64_t triggered = check_trigger_ns(run, o, before), seen = gap(run, run->gpu->programmatic_gap_ns);
    return max_i64(left, triggered >= CHECK_NEVER ? CHECK_NEVER : triggered + max_i64(seen, 1));
}

/* When all blocks of y have triggered or ended. */
static int64_t triggered_ns(const gcast_run *run, const check_orders *o, size_t y, bool *exact)
{
    const gcast_run_op *r = &run->ops[y];
    if (r->dispatched_ns < 0)
        return CHECK_NEVER;
    if (r->blocks)
        return check_trigger_ns(run, o, y);
    if (run_spec(run, y)->trigger_ns == GCAST_NEVER)
        return check_end_ns(run, r);
    *exact = false;
    return r->dispatched_ns;
}

/* When the cause of an edge happens. */
static int64_t happens_ns(const gcast_run *run, const check_orders *o, const graph_facts_of_edge *e, bool *exact)
{
    int64_t dispatched = run->ops[e->from].dispatched_ns;
    if (e->port == GCAST_PORT_FULL)
        return e->done_ns;
    if (e->port == GCAST_PORT_PROGRAMMATIC)
        return triggered_ns(run, o, e->from, exact);
    return dispatched < 0 && run->hang ? CHECK_NEVER : dispatched;
}

int64_t check_edges_seen_ns(const gcast_run *run, const check_orders *o, size_t i, bool *exact)
{
    int64_t last = 0;
    graph_facts_of_edge e;
    *exact = true;
    for (size_t k = 0; k < run_spec(run, i)->after_count; k++) {
        if (!graph_facts_edge(o->graphs, run, i, k, &e))
            continue;
        int64_t happens = happens_ns(run, o, &e, exact);
        if (happens >= CHECK_NEVER)
            return CHECK_NEVER;
        int64_t seen = happens + e.delay_ns;
        if (e.port != GCAST_PORT_FULL)
            seen = max_i64(seen, run->ops[e.from].dispatched_ns + 1);
        last = max_i64(last, seen);
    }
    return min_i64(last, CHECK_NEVER);
}

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

/* Is there a kernel in front of i in its connection that never enters? */
static bool connection_holds(const gcast_run *run, size_t i)
{
    bool holds = false;
    for (size_t k = 0; k < run->op_count; k++)
        holds = holds || (run->ops[k].connection >= 0 && run->ops[k].connection == run->ops[i].connection &&
                          !run->ops[k].skipped && run->ops[k].enter_ns < 0 && run->ops[k].launch < run->ops[i].launch);
    return holds;
}

/* Does i wait for an operation or launch that is never complete, by N1, N2 or its event? */
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

/* Does a node never see its last edge? */
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

/* Checks an operation that is not complete against its place in the run's list. */
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
