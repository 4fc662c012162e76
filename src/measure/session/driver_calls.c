#include "measure/session/driver_calls.h"

#include <string.h>

#include "model/workload/dependencies.h"

#define FREED_BYTES 256 /* allocated for a free to free */
#define MAX_CONNECTIONS 32

/* The call of a kernel with one block of one thread. */
static kernel_call single_block(CUfunction function, CUdeviceptr records)
{
    return (kernel_call){.function = function,
                         .grid = {1, 1, 1},
                         .block = {1, 1, 1},
                         .cluster = {1, 1, 1},
                         .records = records,
                         .waits = {.trigger_ns = GCAST_NEVER, .wait_ns = GCAST_NEVER}};
}

kernel_call session_kernel(const session *s, size_t i, bool warm_up)
{
    const gcast_op *op = session_spec(s, i);
    const session_op *o = &s->at[i];
    kernel_call k =
        single_block(s->k.variants.at[o->variant].function, s->records + o->first_record * sizeof(block_record));
    memcpy(k.block, op->block, sizeof k.block);
    memcpy(k.cluster, op->cluster, sizeof k.cluster);
    memcpy(k.grid, warm_up ? op->cluster : op->grid, sizeof k.grid);
    k.shared = (unsigned)(op->shape.static_smem + op->shape.dynamic_smem);
    k.cooperative = op->cooperative; /* also to warm up: the first such launch takes some 0.1 ms */
    k.programmatic = op->programmatic;
    k.duration_ns = 1;
    if (warm_up)
        return k;
    k.duration_ns = op->max_ns;
    k.durations = o->durations;
    k.waits = start_counters_of(&s->counters, op, i);
    return k;
}

static gcast_status copy(session *s, const gcast_op *op, size_t bytes, CUstream stream, gcast_error *err)
{
    const driver *d = &s->v.d;
    if (op->kind == GCAST_KIND_MEMSET)
        return DRIVER_CALL(d, err, cuMemsetD8Async, s->device_target, 0, bytes, stream);
    if (op->direction == GCAST_H2D)
        return DRIVER_CALL(d, err, cuMemcpyHtoDAsync, s->device_target, s->host_source, bytes, stream);
    if (op->direction == GCAST_D2H)
        return DRIVER_CALL(d, err, cuMemcpyDtoHAsync, s->host_target, s->device_source, bytes, stream);
    return DRIVER_CALL(d, err, cuMemcpyDtoDAsync, s->device_target, s->device_source, bytes, stream);
}

/* The stream for the event before a copy. An event waits in the queue of the engine that its stream used last. If that
 * is not the copy's engine, copies of other streams in that queue would delay the copy; then the event goes to our own
 * stream, and only shows when the call arrived on the GPU. */
static CUstream stream_of_event(session *s, const gcast_op *op)
{
    int this_copy = op->kind == GCAST_KIND_COPY ? 1 + (int)op->direction : 0;
    int last_copy = atomic_exchange(&s->last_copy[op->stream], this_copy);
    return last_copy && last_copy != this_copy ? s->helper_stream : s->streams[op->stream];
}

/* Makes the stream wait for the events of operation i's dependencies. An event that is not recorded yet has no effect.
 */
static gcast_status wait_for_events(session *s, size_t i, const gcast_op *op, CUstream stream, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t k = 0; k < op->after_count && status == GCAST_OK; k++) {
        size_t named = dependencies_operation(i, s->ops[i].op, op->after[k]);
        if (session_spec(s, named)->stream != op->stream) /* so it is not in the graph of i */
            status = DRIVER_CALL(&s->v.d, err, cuStreamWaitEvent, stream, s->at[named].event, 0);
    }
    return status;
}

gcast_status session_launch(session *s, size_t i, bool warm_up, gcast_error *err)
{
    const gcast_op *op = session_spec(s, i);
    const session_op *o = &s->at[i];
    const driver *d = &s->v.d;
    CUstream stream = s->streams[op->stream];
    gcast_status status = wait_for_events(s, i, op, stream, err);
    if (status != GCAST_OK)
        return session_error(s, i, status, err);
    if (op->kind == GCAST_KIND_KERNEL) {
        kernel_call k = session_kernel(s, i, warm_up);
        s->last_copy[op->stream] = 0;
        status = kernel_call_make(d, &k, stream, err);
    } else {
        status = DRIVER_CALL(d, err, cuEventRecord, o->before, stream_of_event(s, op));
        if (status == GCAST_OK)
            status = copy(s, op, (size_t)op->bytes, stream, err);
        if (status == GCAST_OK)
            status = DRIVER_CALL(d, err, cuEventRecord, o->after, stream);
    }
    if (status == GCAST_OK && o->event)
        status = DRIVER_CALL(d, err, cuEventRecord, o->event, stream);
    return session_error(s, i, status, err);
}

gcast_status session_launch_graph(session *s, size_t i, gcast_error *err)
{
    const gcast_op *op = session_spec(s, i);
    const driver *d = &s->v.d;
    CUstream stream = s->streams[op->stream];
    gcast_status status = wait_for_events(s, i, op, stream, err);
    for (size_t k = i; k < i + s->at[i].nodes && status == GCAST_OK; k++)
        if (s->at[k].before && s->at[k].timed_by == k)
            status = DRIVER_CALL(d, err, cuEventRecord, s->at[k].before, stream);
    s->last_copy[op->stream] = 0;
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuGraphLaunch, s->at[i].exec, stream);
    for (size_t k = i; k < i + s->at[i].nodes && status == GCAST_OK; k++)
        if (s->at[k].event)
            status = DRIVER_CALL(d, err, cuEventRecord, s->at[k].event, stream);
    return session_error(s, i, status, err);
}

gcast_status session_allocate(session *s, size_t op, uint64_t bytes, gcast_error *err)
{
    void *memory = NULL;
    if (!bytes)
        return GCAST_OK;
    if (!session_spec(s, op)->host_memory)
        return device_alloc(&s->v, &s->at[op].memory, bytes, 1, err);
    gcast_status status = DRIVER_CALL(&s->v.d, err, cuMemHostAlloc, &memory, (size_t)bytes, 0);
    s->at[op].memory = status == GCAST_OK ? (CUdeviceptr)(uintptr_t)memory : 0;
    return status;
}

gcast_status session_free(session *s, size_t op, gcast_error *err)
{
    CUdeviceptr memory = s->at[op].memory;
    s->at[op].memory = 0;
    if (session_spec(s, op)->host_memory)
        return DRIVER_CALL(&s->v.d, err, cuMemFreeHost, (void *)(uintptr_t)memory);
    return DRIVER_CALL(&s->v.d, err, cuMemFree, memory);
}

gcast_status session_prepare(session *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->op_count && status == GCAST_OK; i++)
        if (session_spec(s, i)->kind == GCAST_KIND_FREE && !s->at[i].memory)
            status = session_allocate(s, i, FREED_BYTES, err);
    if (status == GCAST_OK)
        status = start_counters_reset(&s->counters, &s->v, s->helper_stream, err);
    if (s->block_count && status == GCAST_OK)
        status = DRIVER_CALL(&s->v.d, err, cuMemsetD8Async, s->records, 0xff, s->block_count * sizeof(block_record),
                             s->helper_stream);
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->helper_stream) : status;
}

void session_clean_up(session *s)
{
    for (size_t i = 0; i < s->op_count; i++)
        if (s->at[i].memory && session_spec(s, i)->kind == GCAST_KIND_MALLOC)
            session_free(s, i, NULL);
}

gcast_status session_stamp(session *s, size_t i, block_record record[2], gcast_error *err)
{
    kernel_call k = single_block(s->k.variants.at[0].function, s->stamps);
    gcast_status status = kernel_call_make(&s->v.d, &k, s->helper_stream, err);
    k.records += sizeof *record;
    if (status == GCAST_OK)
        status = DRIVER_CALL(&s->v.d, err, cuEventRecord, s->stamp[i], s->helper_stream);
    if (status == GCAST_OK)
        status = kernel_call_make(&s->v.d, &k, s->helper_stream, err);
    return status == GCAST_OK ? session_fetch(s, record, s->stamps, 2 * sizeof *record, err) : status;
}

/* A kernel of a new stream joins the connection that was joined longest ago, in the half that the last one did not
 * join. So as many such kernels as there are connections leave no trace of earlier calls. */
gcast_status session_forget_connections(session *s, gcast_error *err)
{
    kernel_call k = single_block(s->k.variants.at[0].function, s->stamps);
    gcast_status status = GCAST_OK;
    for (int i = 0; i < MAX_CONNECTIONS && status == GCAST_OK; i++) {
        CUstream stream;
        status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &stream, err);
        if (status != GCAST_OK)
            break;
        status = kernel_call_make(&s->v.d, &k, stream, err);
        if (status == GCAST_OK)
            status = DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, stream);
        s->v.d.cuStreamDestroy(stream);
    }
    return status;
}

gcast_status session_fetch(session *s, void *target, CUdeviceptr source, size_t size, gcast_error *err)
{
    gcast_status status = DRIVER_CALL(&s->v.d, err, cuMemcpyDtoHAsync, target, source, size, s->helper_stream);
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->helper_stream) : status;
}
