/* gcast_run_check, the invariants of operations: C-call, C-stamp, C-stream, C-null, C-after, C-entry, C-fifo
 * (docs/model.md). It knows the rules, but not the engine, so that it works on any run that claims to follow them. It
 * has its own code for them on purpose, so that it does not repeat a mistake of the engine. */
#include <stdlib.h>

#include "simulate/check/blocks.h"
#include "simulate/check/broken.h"
#include "simulate/check/copies.h"
#include "simulate/check/launches/child_rules.h"
#include "simulate/check/run_order.h"
#include "simulate/run_ops.h"
#include "simulate/scatter.h"

/* C-call: calls are made in the order of their launch numbers, and none before a cudaFree returns. */
static gcast_status check_launches(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    int64_t before = 0;
    for (size_t k = 0; k < o->launch_count; k++) {
        const gcast_run_op *r = &run->ops[o->launch[k]];
        if (r->call_ns < before || r->call_ns < r->release_ns || r->return_ns < r->call_ns)
            return check_broken(run, o->launch[k], "C-call", "called before its time or out of order", err);
        before = run_spec(run, o->launch[k])->kind == GCAST_KIND_FREE ? r->return_ns : r->call_ns;
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
            if (p->skipped || r->call_ns < p->return_ns + op->delay_ns)
                status = check_broken(run, i, "C-call", "called before its host was free", err);
        }
        last[op->host] = (uint32_t)i;
    }
    free(last);
    return status;
}

/* When a call must return; -1: it is a barrier, which is not checked. `stream`, `device`: the latest end of operations
 * that were called before it, on its stream and on all streams. */
static int64_t return_of(const gcast_op *op, const gcast_run_op *r, int64_t stream, int64_t device)
{
    int64_t waits_for = r->call_ns;
    if (op->kind == GCAST_KIND_BARRIER)
        return -1;
    if (op->kind == GCAST_KIND_FREE || (op->kind == GCAST_KIND_SYNC && op->stream < 0))
        waits_for = device;
    else if (op->kind == GCAST_KIND_SYNC)
        waits_for = stream;
    else if (gcast_kind_on_gpu(op->kind) && op->host_waits)
        waits_for = r->end_ns;
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
        int64_t want = return_of(op, r, *last, device);
        if (want >= 0 && r->return_ns != want)
            status = check_broken(run, o->launch[k], "C-call", "the call did not return when it should", err);
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        *last = r->end_ns > *last ? r->end_ns : *last;
        device = r->end_ns > device ? r->end_ns : device;
    }
    free(ends);
    return status;
}

/* C-stamp and C-entry, in entry order. */
static gcast_status check_stamps(const gcast_run *run, const check_orders *o, gcast_error *err)
{
    const gcast_gpu *gpu = run->gpu;
    int64_t before = 0;
    for (size_t k = 0; k < o->entry_count; k++) {
        size_t i = o->entry[k];
        const gcast_run_op *r = &run->ops[i];
        bool kernel = run_spec(run, i)->kind == GCAST_KIND_KERNEL, by_host = i < run->op_count;
        int64_t latency = (kernel ? gpu->launch_latency_ns : gpu->copy_latency_ns) + run_spec(run, i)->extra_latency_ns;
        int64_t noise = run->scatter ? gpu->launch_noise_ns : 0, took = r->arrive_ns - r->call_ns;
        if (took < 0 || (by_host && !run->latencies_given &&
                         (took < latency - noise / 2 || took > latency + noise * SCATTER_PAUSE)))
            return check_broken(run, i, "C-stamp", "it did not arrive its latency after the call", err);
        if (r->head_ns < r->arrive_ns || r->enter_ns < r->head_ns || r->start_ns < r->enter_ns ||
            r->dispatched_ns < r->start_ns || r->end_ns <= r->dispatched_ns)
            return check_broken(run, i, "C-stamp", "its times are out of order", err);
        if (r->enter_ns < before)
            return check_broken(run, i, "C-entry", "it entered before one with a smaller entry number", err);
        before = r->enter_ns;
    }
    return GCAST_OK;
}

/* C-stream and C-null, in launch order. */
static gcast_status check_streams(const gcast_run *run, const check_orders *o, gcast_error *err)
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
        if (r->head_ns != (r->arrive_ns > *last ? r->arrive_ns : *last))
            status = check_broken(run, i, "C-stream", "it was not the head of its stream when it says", err);
        else if (stream->id == 0 && r->enter_ns < blocking_departed)
            status =
                check_broken(run, i, "C-null", "it entered before older work of blocking streams was gone (N1)", err);
        else if (stream->id != 0 && stream->blocking && r->enter_ns < null_departed)
            status =
                check_broken(run, i, "C-null", "it entered before older work of the NULL stream was gone (N2)", err);
        *last = r->end_ns + run->gpu->stream_gap_ns;
        if (stream->id == 0 && *last > null_departed)
            null_departed = *last;
        if (stream->id != 0 && stream->blocking && *last > blocking_departed)
            blocking_departed = *last;
    }
    free(departed);
    return status;
}

/* C-after: an operation enters only when those have left that it is after, of other streams, and that were called
 * before it. */
static gcast_status check_after(const gcast_run *run, gcast_error *err)
{
    int64_t gap_ns = run->gpu->event_gap_ns > 0 ? run->gpu->event_gap_ns : run->gpu->stream_gap_ns;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        for (size_t k = 0; k < op->after_count && !r->skipped; k++) {
            size_t place = i + op->after[k] - r->op; /* operations of a job are in the order of the workload */
            const gcast_run_op *named = place < run->op_count ? &run->ops[place] : NULL;
            if (!named || named->op != op->after[k] || named->job != r->job)
                return check_broken(run, i, "C-after", "an operation of its job that it is after is not in the run",
                                    err);
            if (!named->skipped && named->launch < r->launch && run->workload->ops[named->op].stream != op->stream &&
                r->enter_ns < named->end_ns + gap_ns)
                return check_broken(run, i, "C-after", "it entered before what it is after had left", err);
        }
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
        if (r->start_ns < dispatched[level])
            return check_broken(run, i, "C-fifo", "it started before the kernel in front of it had started all (X1)",
                                err);
        dispatched[level] = r->dispatched_ns;
    }
    return GCAST_OK;
}

gcast_status gcast_run_check(const gcast_run *run, gcast_error *err)
{
    check_orders o = {0};
    gcast_status status = check_children_listed(run, err);
    if (status == GCAST_OK)
        status = check_orders_init(run, &o, err);
    if (status == GCAST_OK)
        status = check_launches(run, &o, err);
    if (status == GCAST_OK)
        status = check_hosts(run, err);
    if (status == GCAST_OK)
        status = check_returns(run, &o, err);
    if (status == GCAST_OK)
        status = check_stamps(run, &o, err);
    if (status == GCAST_OK)
        status = check_streams(run, &o, err);
    if (status == GCAST_OK)
        status = check_after(run, err);
    if (status == GCAST_OK)
        status = check_kernels(run, &o, err);
    if (status == GCAST_OK)
        status = check_copies(run, err);
    if (status == GCAST_OK && run->blocks_recorded)
        status = check_children(run, &o, err);
    if (status == GCAST_OK && run->blocks_recorded)
        status = check_blocks(run, &o, err);
    check_orders_free(&o);
    return status;
}
