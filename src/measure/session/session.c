#include "measure/session/session.h"

#include <stdlib.h>

#include "base/integers.h"
#include "measure/session/driver_calls.h"
#include "measure/session/graphs.h"
#include "measure/session/measurable.h"
#include "model/workload/attributes.h"
#include "model/workload/barriers.h"
#include "model/workload/dependencies.h"
#include "model/workload/jobs.h"
#include "model/workload/workload.h"

#define LIMIT_FACTOR 10            /* the default limit is this many times the longest that a run should take, */
#define LIMIT_EXTRA_NS 10000000000 /* plus this */

static gcast_status make_streams(session *s, gcast_error *err)
{
    const gcast_workload *w = s->w;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < w->stream_count && status == GCAST_OK; i++)
        if (w->streams[i].id != 0)
            status = device_stream(&s->v, w->streams[i].blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING,
                                   w->streams[i].priority, &s->streams[i], err);
    /* last, so that the workload's streams get the connections that they would have alone */
    return status == GCAST_OK ? device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &s->helper_stream, err) : status;
}

/* The default of the longest that a run may take: more than all blocks take one after the other. Saturates. */
static int64_t default_limit(const session *s)
{
    unsigned __int128 sum = 0;
    for (size_t i = 0; i < s->op_count; i++) {
        const gcast_op *op = session_spec(s, i);
        if ((unsigned __int128)s->ops[i].release_ns > sum)
            sum = (unsigned __int128)s->ops[i].release_ns;
        sum += (unsigned __int128)op->delay_ns;
        for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
            sum += (unsigned __int128)op->block_ns[b];
        if (op->kind == GCAST_KIND_KERNEL && !op->block_ns)
            sum += (unsigned __int128)op->blocks * (unsigned __int128)op->max_ns;
    }
    return sum > (INT64_MAX / 2 - LIMIT_EXTRA_NS) / LIMIT_FACTOR ? INT64_MAX / 2
                                                                 : (int64_t)sum * LIMIT_FACTOR + LIMIT_EXTRA_NS;
}

/* Sends the durations of blocks, for the ops that list them: once per op, for all its jobs. */
static gcast_status make_durations(session *s, gcast_error *err)
{
    const gcast_workload *w = s->w;
    uint64_t total = 0, at = 0;
    for (size_t i = 0; i < w->op_count; i++)
        total += w->ops[i].block_ns ? w->ops[i].blocks : 0;
    gcast_status status = device_alloc(&s->v, &s->durations, total, sizeof(int64_t), err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &w->ops[i];
        if (!op->block_ns)
            continue;
        CUdeviceptr target = s->durations + at * sizeof(int64_t);
        status = DRIVER_CALL(&s->v.d, err, cuMemcpyHtoDAsync, target, op->block_ns, op->blocks * sizeof(int64_t),
                             s->helper_stream);
        for (size_t k = 0; k < s->op_count; k++)
            if (s->ops[k].op == i)
                s->at[k].durations = target;
        at += op->blocks;
    }
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->helper_stream) : status;
}

/* Makes events of the operations that have successors in other streams. */
static gcast_status make_events(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count; i++) {
        const gcast_op *op = session_spec(s, i);
        for (size_t k = 0; k < op->after_count && status == GCAST_OK; k++) {
            CUevent *event = &s->at[dependencies_operation(i, s->ops[i].op, op->after[k])].event;
            if (!*event && s->w->ops[op->after[k]].stream != op->stream)
                status = DRIVER_CALL(&s->v.d, err, cuEventCreate, event, CU_EVENT_DISABLE_TIMING);
        }
    }
    return status;
}

/* Makes events and memory of copies, which all share it: its contents mean nothing. */
static gcast_status make_copies(session *s, gcast_error *err)
{
    const driver *d = &s->v.d;
    int64_t max_bytes = 0;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = session_spec(s, i);
        if (op->kind != GCAST_KIND_COPY && op->kind != GCAST_KIND_MEMSET)
            continue;
        max_bytes = max_i64(max_bytes, op->bytes);
        s->at[i].timed_by = i;
        status = DRIVER_CALL(d, err, cuEventCreate, &s->at[i].before, CU_EVENT_DEFAULT);
        if (status == GCAST_OK)
            status = DRIVER_CALL(d, err, cuEventCreate, &s->at[i].after, CU_EVENT_DEFAULT);
    }
    if (!max_bytes || status != GCAST_OK)
        return status;
    for (size_t i = 0; i < STAMPS && status == GCAST_OK; i++)
        status = DRIVER_CALL(d, err, cuEventCreate, &s->stamp[i], CU_EVENT_DEFAULT);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->device_source, (uint64_t)max_bytes, 1, err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->device_target, (uint64_t)max_bytes, 1, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuMemHostAlloc, &s->host_source, (size_t)max_bytes, 0);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuMemHostAlloc, &s->host_target, (size_t)max_bytes, 0);
    return status;
}

static gcast_status make_barriers(session *s, gcast_error *err)
{
    uint32_t *number = calloc(s->w->op_count + 1, sizeof *number);
    if (!number || !barriers_number(s->w, number, &s->barrier_count)) {
        free(number);
        return gcast_error_set_memory(err);
    }
    for (size_t i = 0; i < s->op_count; i++)
        if (session_spec(s, i)->kind == GCAST_KIND_BARRIER) {
            s->at[i].barrier = number[s->ops[i].op];
            s->barrier_ops[s->at[i].barrier]++;
        }
    free(number);
    return GCAST_OK;
}

static kernel_needs needs_of(const session *s, size_t i)
{
    const gcast_op *op = session_spec(s, i);
    bool waits = attributes_waits(op) || op->trigger_ns != GCAST_NEVER;
    return (kernel_needs){.waits = waits || start_counters_waited_for(s->w, s->ops[i].op),
                          .clusters = attributes_cluster(op) > 1};
}

static gcast_status make_kernels(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++) {
        session_op *o = &s->at[i];
        if (session_spec(s, i)->kind != GCAST_KIND_KERNEL)
            continue;
        o->first_record = s->block_count;
        s->block_count += s->ops[i].block_count;
        status = measurable_check_fits(session_spec(s, i), s->v.gpu, err);
        if (status == GCAST_OK)
            status = kernels_find(&s->k, &s->v, session_spec(s, i), needs_of(s, i), &o->variant, err);
        session_error(s, i, status, err);
    }
    if (status == GCAST_OK)
        status = kernels_set_shared(&s->k, &s->v, err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->records, s->block_count, sizeof(block_record), err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->stamps, 2, sizeof(block_record), err);
    return status;
}

/* Blocks wait for others at most a tenth of the default limit of a run, which is more than all blocks take one after
 * the other; or half of a limit that was given, so that the run ends within it. */
static gcast_status make_counters(session *s, gcast_error *err)
{
    return start_counters_open(&s->counters, &s->v, s->w, s->ops, s->op_count,
                               s->limit_ns / (s->options->limit_ns ? 2 : LIMIT_FACTOR), s->helper_stream, err);
}

/* Calls every kernel and every copy once, so that nothing is loaded during a run, and so that errors show now. */
static gcast_status warm_up(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++)
        if (gcast_kind_on_gpu(session_spec(s, i)->kind) && s->ops[i].job == 0)
            status = session_launch(s, i, true, err);
    return status == GCAST_OK ? driver_status(&s->v.d, s->v.d.cuCtxSynchronize(), "cuCtxSynchronize", err) : status;
}

gcast_status session_open(session *s, const gcast_workload *w, const gcast_measure_options *options, gcast_error *err)
{
    *s = (session){.w = w, .options = options, .horizon_ns = options->horizon_ns};
    gcast_status status = jobs_horizon(w, &s->horizon_ns, err);
    if (status == GCAST_OK)
        status = jobs_expand(w, s->horizon_ns, &s->ops, &s->op_count, err);
    if (status != GCAST_OK)
        return status;
    s->limit_ns = options->limit_ns ? options->limit_ns : default_limit(s);
    s->at = calloc(s->op_count + 1, sizeof *s->at);
    s->streams = calloc(w->stream_count + 1, sizeof *s->streams);
    s->last_copy = calloc(w->stream_count + 1, sizeof *s->last_copy);
    s->barrier_ops = calloc(s->op_count + 1, sizeof *s->barrier_ops);
    status = s->at && s->streams && s->last_copy && s->barrier_ops ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = device_open(&s->v, options->library, w->partition_sms, err);
    if (status == GCAST_OK)
        status = measurable_check_on_gpu(w, s->v.gpu, err);
    if (status == GCAST_OK)
        status = kernels_open(&s->k, &s->v, err);
    if (status == GCAST_OK)
        status = make_streams(s, err);
    if (status == GCAST_OK)
        status = make_kernels(s, err);
    if (status == GCAST_OK)
        status = make_barriers(s, err);
    if (status == GCAST_OK)
        status = make_durations(s, err);
    if (status == GCAST_OK)
        status = make_copies(s, err);
    if (status == GCAST_OK)
        status = make_events(s, err);
    if (status == GCAST_OK)
        status = make_counters(s, err);
    if (status == GCAST_OK)
        status = warm_up(s, err);
    if (status == GCAST_OK)
        status = graphs_make(s, err);
    if (status != GCAST_OK)
        session_close(s);
    return status;
}

static void close_on_gpu(session *s)
{
    const driver *d = &s->v.d;
    d->cuCtxSynchronize();
    CUdeviceptr memory[] = {s->records, s->durations, s->stamps, s->device_source, s->device_target};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i])
            d->cuMemFree(memory[i]);
    if (s->host_source)
        d->cuMemFreeHost(s->host_source);
    if (s->host_target)
        d->cuMemFreeHost(s->host_target);
    start_counters_close(&s->counters, &s->v);
    for (size_t i = 0; i < s->op_count; i++) {
        if (s->at[i].exec)
            d->cuGraphExecDestroy(s->at[i].exec);
        if (s->at[i].before)
            d->cuEventDestroy(s->at[i].before);
        if (s->at[i].after)
            d->cuEventDestroy(s->at[i].after);
        if (s->at[i].event)
            d->cuEventDestroy(s->at[i].event);
        if (s->at[i].memory)
            session_free(s, i, NULL);
    }
    for (size_t i = 0; i < STAMPS; i++)
        if (s->stamp[i])
            d->cuEventDestroy(s->stamp[i]);
    for (size_t i = 0; i < s->w->stream_count; i++)
        if (s->streams[i])
            d->cuStreamDestroy(s->streams[i]);
    if (s->helper_stream)
        d->cuStreamDestroy(s->helper_stream);
    kernels_close(&s->k, &s->v);
    device_close(&s->v);
}

void session_close(session *s)
{
    if (s->v.d.library && !s->abandoned)
        close_on_gpu(s);
    if (s->abandoned) { /* everything else ends with the process */
        vec_free(&s->k.variants);
        free(s->counters.first);
        gcast_gpu_free(s->v.gpu);
    }
    free(s->ops);
    free(s->at);
    free(s->streams);
    free(s->last_copy);
    free(s->barrier_ops);
}
