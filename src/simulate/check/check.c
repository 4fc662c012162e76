/* gcast_run_check and its invariants of operations: C-copy, C-call, C-stamp, C-stream, C-null, C-after, C-entry,
 * C-fifo, C-graph (docs/model.md). It knows the rules, but not the engine: it works on any run that claims to follow
 * them, and has its own code for them on purpose, so that it does not repeat a mistake of the engine. */
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/run.h"
#include "model/workload/workload.h"
#include "simulate/check/block_walk.h"
#include "simulate/check/cluster_walk.h"
#include "simulate/check/graph_facts.h"
#include "simulate/check/launch_rules.h"
#include "simulate/check/run_order.h"
#include "simulate/check/wait_times.h"
#include "simulate/duration.h"
#include "simulate/run_ops.h"

/* C-copy: did a copy take as long as it should? */
static bool duration_is_right(const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_op *op = run_spec(run, i);
    int64_t duration_ns = r->end_ns - r->start_ns, want;
    if (op->max_ns != GCAST_UNKNOWN_NS)
        return duration_ns >= op->min_ns && duration_ns - run->noise_ns <= op->max_ns;
    if (copy_bytes_ns(run->workload, run->gpu, r->op, &want, NULL) != GCAST_OK)
        return false;
    int percent = op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D ? run->gpu->copy_duplex_percent : 100;
    __int128 max_alone = (__int128)want + run->noise_ns + copy_max_extra_ns(run->gpu, op);
    __int128 max = (max_alone * 100 + percent - 1) / percent + (percent < 100);
    return duration_ns >= want && duration_ns <= max;
}

static int by_start(const void *a, const void *b)
{
    const gcast_run_op *x = *(gcast_run_op *const *)a, *y = *(gcast_run_op *const *)b;
    if (x->engine != y->engine)
        return x->engine < y->engine ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Did a copy start as soon as its engine was idle and a copy waited, or later, as a copy to the host may? `ready`: when
 * the first copy entered that had not started. */
static bool starts_right(const gcast_run *run, const gcast_run_op *r, int64_t idle_ns, int64_t ready)
{
    const gcast_op *op = &run->workload->ops[r->op];
    int64_t expected = idle_ns > ready ? idle_ns : ready;
    bool may_be_late = op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H && op->max_ns == GCAST_UNKNOWN_NS;
    return r->start_ns >= r->enter_ns &&
           (r->start_ns == expected || (may_be_late && r->start_ns == expected + run->gpu->d2h_start_ns));
}

/* C-copy of the listed copies. ready[]: memory for as many times. */
static gcast_status check_list(const gcast_run *run, const gcast_run_op **list, int64_t *ready, size_t n,
                               gcast_error *err)
{
    qsort(list, n, sizeof *list, by_start);
    for (size_t k = n; k-- > 0;) {
        bool more = k + 1 < n && list[k + 1]->engine == list[k]->engine;
        ready[k] = more && ready[k + 1] < list[k]->enter_ns ? ready[k + 1] : list[k]->enter_ns;
    }
    int64_t idle_ns = 0;
    for (size_t k = 0; k < n; k++) {
        const gcast_run_op *r = list[k], *before = k && list[k - 1]->engine == r->engine ? list[k - 1] : NULL;
        size_t i = (size_t)(r - run->ops);
        if (r->engine < 0 || r->engine >= run->gpu->copy_engines)
            return check_broken(run, i, "C-copy", "it used an engine that is not there", err);
        idle_ns = before ? before->end_ns + run->gpu->copy_gap_ns : 0;
        if (!starts_right(run, r, idle_ns, ready[k]))
            return check_broken(run, i, "C-copy", "it did not start when its engine was free for it (C2)", err);
        if (before && before->entry > r->entry && !run->gpu->copy_channels)
            return check_broken(run, i, "C-copy", "one that entered later started before it (C2)", err);
        if (!duration_is_right(run, i))
            return check_broken(run, i, "C-copy", "it took longer or shorter than it should", err);
    }
    return GCAST_OK;
}

/* C-copy. */
static gcast_status check_copies(const gcast_run *run, gcast_error *err)
{
    const gcast_run_op **list = malloc((run->op_count + 1) * sizeof *list);
    int64_t *ready = malloc((run->op_count + 1) * sizeof *ready);
    size_t n = 0;
    for (size_t i = 0; list && i < run->op_count; i++)
        if (!run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind) &&
            run_spec(run, i)->kind != GCAST_KIND_KERNEL && check_entered(run, &run->ops[i]))
            list[n++] = &run->ops[i];
    gcast_status status = list && ready ? check_list(run, list, ready, n, err) : gcast_error_set_memory(err);
    free(list);
    free(ready);
    return status;
}

/* When a call returned; CHECK_NEVER. */
static int64_t return_ns(const gcast_run *run, const gcast_run_op *r)
{
    return r->return_ns < 0 && run->hang ? CHECK_NEVER : r->return_ns;
}

/* C-call: calls are made in the order of their launch numbers, and none before a cudaFree returns. */
static gcast_status check_launches(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    int64_t before = 0;
    for (size_t k = 0; k < o->launch_count; k++) {
        const gcast_run_op *r = &run->ops[o->launch[k]];
        int64_t returned = return_ns(run, r);
        if (r->call_ns < before || r->call_ns < r->release_ns || returned < r->call_ns)
            return check_broken(run, o->launch[k], "C-call", "called before its time or out of order", err);
        before = run_spec(run, o->launch[k])->kind == GCAST_KIND_FREE ? returned : r->call_ns;
    }
    return GCAST_OK;
}

/* C-call: a host makes one call after the other, each at least its delay after the last one returned. */
static gcast_status check_hosts(const gcast_run *run, gcast_error *err)
{
    uint32_t *last = malloc((run->workload->host_count + 1) * sizeof *last);
    if (!last)
        return gcast_error_set_memory(err);
    gcast_status status = GCAST_OK;
    for (size_t h = 0; h < run->workload->host_count; h++)
        last[h] = UINT32_MAX;
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        if (op->host == GCAST_NO_HOST)
            continue;
        if (last[op->host] != UINT32_MAX && !r->skipped) {
            const gcast_run_op *p = &run->ops[last[op->host]];
            if (p->skipped || r->call_ns < return_ns(run, p) + op->delay_ns)
                status = check_broken(run, i, "C-call", "called before its host was free", err);
        }
        last[op->host] = (uint32_t)i;
    }
    free(last);
    return status;
}

/* When a call must return; -1: it is a barrier, which is not checked. `stream`, `device`: the latest end of earlier
 * calls on its stream and on all streams; `end`: its own end. */
static int64_t return_of(const gcast_op *op, const gcast_run_op *r, int64_t end, int64_t stream, int64_t device)
{
    int64_t waits_for = r->call_ns;
    if (op->kind == GCAST_KIND_BARRIER)
        return -1;
    if (op->kind == GCAST_KIND_FREE || (op->kind == GCAST_KIND_SYNC && op->stream < 0))
        waits_for = device;
    else if (op->kind == GCAST_KIND_SYNC)
        waits_for = stream;
    else if (gcast_kind_on_gpu(op->kind) && op->host_waits)
        waits_for = end;
    return waits_for > r->call_ns ? waits_for : r->call_ns;
}

/* C-call, in launch order. */
static gcast_status check_returns(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    int64_t *ends = calloc(run->workload->stream_count + 1, sizeof *ends), device = 0;
    if (!ends)
        return gcast_error_set_memory(err);
    gcast_status status = GCAST_OK;
    for (size_t k = 0; k < o->launch_count && status == GCAST_OK; k++) {
        const gcast_run_op *r = &run->ops[o->launch[k]];
        const gcast_op *op = run_spec(run, o->launch[k]);
        int64_t *last = &ends[op->stream < 0 ? (int)run->workload->stream_count : op->stream];
        int64_t end = check_end_ns(run, r), want = return_of(op, r, end, *last, device);
        if (want >= 0 && return_ns(run, r) != want)
            status = check_broken(run, o->launch[k], "C-call", "the call did not return when it should", err);
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        *last = max_i64(*last, end);
        device = max_i64(device, end);
    }
    free(ends);
    return status;
}

/* C-stamp, from the entry on. In a run that hangs, nothing comes after something that never happens. */
static bool ends_in_order(const gcast_run *run, const gcast_run_op *r)
{
    int64_t start = r->start_ns < 0 && run->hang ? CHECK_NEVER : r->start_ns;
    int64_t dispatched = r->dispatched_ns < 0 && run->hang ? CHECK_NEVER : r->dispatched_ns;
    int64_t end = check_end_ns(run, r);
    return start >= r->enter_ns && dispatched >= start && (end > dispatched || end == CHECK_NEVER);
}

/* C-stamp, in launch order: operations arrive their latencies after their calls, but not before earlier calls of their
 * kind. */
static gcast_status check_arrivals(const gcast_run *run, const check_orders *o, const graph_facts *f, gcast_error *err)
{
    const gcast_gpu *gpu = run->gpu;
    int64_t noise = run->scatter ? gpu->launch_noise_ns : 0, last[2] = {0};
    for (size_t k = 0; k < o->launch_count && !run->latencies_given; k++) {
        size_t i = o->launch[k], first = graph_facts_first(f, run, i);
        const gcast_run_op *r = &run->ops[i];
        if (!gcast_kind_on_gpu(run_spec(run, i)->kind))
            continue;
        bool kernel = run_spec(run, i)->kind == GCAST_KIND_KERNEL, node = run_spec(run, i)->graph != GCAST_NO_GRAPH;
        int64_t latency = kernel ? gpu->launch_latency_ns : gpu->copy_latency_ns, first_ns = run->ops[first].arrive_ns;
        latency = (node ? graph_facts_latency(f, run, i) : latency) + run_spec(run, first)->extra_latency_ns;
        int64_t least = r->call_ns + latency - noise / 2, most = r->call_ns + latency + noise * SCATTER_PAUSE;
        bool edges = graph_facts_has_edges(f, run, i);
        most = last[kernel] > most ? last[kernel] : most;
        most = node && first_ns > most ? first_ns : most;
        if (edges ? r->arrive_ns != first_ns : r->arrive_ns < least || r->arrive_ns > most)
            return check_broken(run, i, "C-stamp", "it did not arrive its latency after the call", err);
        if (!edges && r->arrive_ns > last[kernel])
            last[kernel] = r->arrive_ns;
    }
    return GCAST_OK;
}

/* C-stamp and C-entry, in entry order. */
static gcast_status check_stamps(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    int64_t before = 0;
    for (size_t k = 0; k < o->entry_count; k++) {
        size_t i = o->entry[k];
        const gcast_run_op *r = &run->ops[i];
        if (r->arrive_ns < r->call_ns)
            return check_broken(run, i, "C-stamp", "it did not arrive its latency after the call", err);
        if (r->head_ns < r->arrive_ns || r->enter_ns < r->head_ns || !ends_in_order(run, r))
            return check_broken(run, i, "C-stamp", "its times are out of order", err);
        if (r->enter_ns < before)
            return check_broken(run, i, "C-entry", "it entered before one with a smaller entry number", err);
        before = r->enter_ns;
    }
    return GCAST_OK;
}

/* C-stream: an operation is the head when it has arrived and the one before it has departed; or earlier, if it is
 * programmatic and the kernel before it has triggered. */
static bool head_is_right(const gcast_run *run, const check_orders *o, size_t i, int64_t departed)
{
    const gcast_run_op *r = &run->ops[i];
    int64_t head = r->head_ns < 0 && run->hang ? CHECK_NEVER : r->head_ns;
    int64_t overlap = check_before(run, o, i) == UINT32_MAX ? departed : check_overlap_ns(run, o, i);
    if (overlap < 0) /* it is not known when the kernel before it triggered */
        return head >= r->arrive_ns && head <= max_i64(r->arrive_ns, departed);
    int64_t free = min_i64(min_i64(departed, overlap), CHECK_NEVER);
    return head == max_i64(r->arrive_ns, free);
}

/* C-stream and C-null, in launch order. A launch of a graph departs as a whole. */
static gcast_status check_streams(const gcast_run *run, const check_orders *o, const graph_facts *f, gcast_error *err)
{
    const gcast_workload *w = run->workload;
    int64_t *departed = calloc(w->stream_count + 1, sizeof *departed); /* by stream: when its last operation did */
    if (!departed)
        return gcast_error_set_memory(err);
    int64_t null_departed = 0, blocking_departed = 0;
    gcast_status status = GCAST_OK;
    for (size_t k = 0; k < o->launch_count && status == GCAST_OK; k++) {
        size_t i = o->launch[k];
        const gcast_run_op *r = &run->ops[i];
        if (!gcast_kind_on_gpu(run_spec(run, i)->kind))
            continue;
        const gcast_stream *stream = &w->streams[run_spec(run, i)->stream];
        int64_t *last = &departed[run_spec(run, i)->stream];
        if (!head_is_right(run, o, i, *last))
            status = check_broken(run, i, "C-stream", "it was not the head of its stream when it says", err);
        else if (r->enter_ns >= 0 && stream->id == 0 && r->enter_ns < blocking_departed)
            status =
                check_broken(run, i, "C-null", "it entered before older work of blocking streams was gone (N1)", err);
        else if (r->enter_ns >= 0 && stream->id != 0 && stream->blocking && r->enter_ns < null_departed)
            status =
                check_broken(run, i, "C-null", "it entered before older work of the NULL stream was gone (N2)", err);
        if (i + 1 < graph_facts_first(f, run, i) + graph_facts_count(f, run, i))
            continue; /* the launch goes on */
        *last = graph_facts_end(f, run, i) + run->gpu->stream_gap_ns;
        if (stream->id == 0 && *last > null_departed)
            null_departed = *last;
        if (stream->id != 0 && stream->blocking && *last > blocking_departed)
            blocking_departed = *last;
    }
    free(departed);
    return status;
}

/* C-after: an operation enters only when its dependencies have left, those of other streams that were called before it.
 * A dependency of a graph's first node is one of its whole launch, and a dependency on a node is one on the whole
 * launch. */
static gcast_status check_after(const gcast_run *run, const graph_facts *f, gcast_error *err)
{
    int64_t gap_ns = run->gpu->event_gap_ns > 0 ? run->gpu->event_gap_ns : run->gpu->stream_gap_ns;
    for (size_t i = 0; i < run->op_count; i++) {
        size_t first = graph_facts_has_edges(f, run, i) ? i : graph_facts_first(f, run, i);
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, first);
        for (size_t k = 0; k < op->after_count && !r->skipped; k++) {
            size_t place =
                first + op->after[k] - run->ops[first].op; /* operations of a job are in the order of the workload */
            const gcast_run_op *named = place < run->op_count ? &run->ops[place] : NULL;
            if (!named || named->op != op->after[k] || named->job != r->job)
                return check_broken(run, i, "C-after", "an operation of its job that it is after is not in the run",
                                    err);
            if (!named->skipped && named->launch < r->launch && run->workload->ops[named->op].stream != op->stream &&
                r->enter_ns >= 0 && r->enter_ns < graph_facts_end(f, run, place) + gap_ns)
                return check_broken(run, i, "C-after", "it entered before what it is after had left", err);
        }
    }
    return GCAST_OK;
}

/* C-graph: nodes enter when the last of their edges is seen, or later where a connection may hold them. */
static gcast_status check_nodes(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    for (size_t i = 0; i < run->op_count && run->workload->graph_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        bool exact = true;
        if (r->skipped || !graph_facts_has_edges(o->graphs, run, i))
            continue;
        int64_t seen = check_edges_seen_ns(run, o, i, &exact), enter = r->enter_ns;
        if (enter < 0 && run->hang)
            enter = CHECK_NEVER;
        if (enter < seen || (enter > seen && exact && r->connection < 0))
            return check_broken(run, i, "C-graph", "it did not enter when the last of its edges was seen", err);
        if (r->connection >= 0 && !graph_facts_joins(o->graphs, run, i))
            return check_broken(run, i, "C-graph", "it joined a connection", err);
    }
    return GCAST_OK;
}

/* C-fifo, in entry order. */
static gcast_status check_kernels(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    int64_t dispatched[64] = {0};
    for (size_t k = 0; k < o->entry_count; k++) {
        size_t i = o->entry[k];
        const gcast_run_op *r = &run->ops[i];
        if (run_spec(run, i)->kind != GCAST_KIND_KERNEL)
            continue;
        int level = run_level(run, i);
        if (r->start_ns < dispatched[level] && !(r->start_ns < 0 && run->hang))
            return check_broken(run, i, "C-fifo", "it started before the kernel in front of it had started all (X1)",
                                err);
        if (!check_is_clustered(
                run_spec(run, i))) /* others may pass a clustered kernel on SMs that it cannot use: C-cluster */
            dispatched[level] = r->dispatched_ns < 0 && run->hang ? CHECK_NEVER : r->dispatched_ns;
    }
    return GCAST_OK;
}

/* The way of operations to their engines. */
static gcast_status check_queues(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    gcast_status status = check_arrivals(run, o, o->graphs, err);
    if (status == GCAST_OK)
        status = check_stamps(run, o, err);
    if (status == GCAST_OK)
        status = check_streams(run, o, o->graphs, err);
    if (status == GCAST_OK)
        status = check_after(run, o->graphs, err);
    return status == GCAST_OK ? check_nodes(run, o, err) : status;
}

gcast_status gcast_run_check(const gcast_run *run, gcast_error *err)
{
    if (!run)
        return argument_missing(err);
    graph_facts f = {0};
    check_orders o = {.graphs = &f};
    gcast_status status = check_children_listed(run, err);
    if (status == GCAST_OK)
        status = check_orders_init(run, &o, err);
    if (status == GCAST_OK)
        status = graph_facts_init(&f, run, err);
    if (status == GCAST_OK)
        status = check_launches(run, &o, err);
    if (status == GCAST_OK)
        status = check_hosts(run, err);
    if (status == GCAST_OK)
        status = check_returns(run, &o, err);
    if (status == GCAST_OK)
        status = check_queues(run, &o, err);
    if (status == GCAST_OK)
        status = check_kernels(run, &o, err);
    if (status == GCAST_OK)
        status = check_copies(run, err);
    if (status == GCAST_OK && run->hang)
        status = check_hang(run, &o, err);
    if (status == GCAST_OK && run->blocks_recorded)
        status = check_children(run, &o, err);
    if (status == GCAST_OK && run->blocks_recorded)
        status = check_blocks(run, &o, check_has_clusters(run) ? check_cluster_walk : NULL, err);
    graph_facts_free(&f);
    check_orders_free(&o);
    return status;
}
