#include "simulate/check/waits/wait_times.h"

#include "base/minmax.h"
#include "simulate/check/graphs/graph_facts.h"
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

/* A gap of programmatic launches; the stream gap where it is not known or larger. */
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

/* When a block of i has triggered or ended; open: from when on blocks of i that wait may go on. */
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

int64_t check_trigger_ns(const gcast_run *run, const check_orders *o, size_t i)
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
