/* The driver's calls behind the operations of a workload. */
#include "measure/session/session.h"

static gcast_status launch(session *s, CUfunction function, const gcast_op *op, CUstream stream, CUdeviceptr records,
                           CUdeviceptr durations, int64_t duration, bool warm, gcast_error *err)
{
    static const uint32_t one[3] = {1, 1, 1};
    const uint32_t *grid = op && !warm ? op->grid : one, *block = op ? op->block : one;
    unsigned shared = op ? (unsigned)(op->shape.static_smem + op->shape.dynamic_smem) : 0;
    uint64_t never = 0;
    void *parameters[] = {&records, &durations, &duration, &never};
    return DRIVER_CALL(&s->v.d, err, cuLaunchKernel, function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                       shared, stream, parameters, NULL);
}

static gcast_status move(session *s, const gcast_op *op, size_t bytes, CUstream stream, gcast_error *err)
{
    const driver *d = &s->v.d;
    if (op->kind == GCAST_KIND_MEMSET)
        return DRIVER_CALL(d, err, cuMemsetD8Async, s->device_to, 0, bytes, stream);
    if (op->direction == GCAST_H2D)
        return DRIVER_CALL(d, err, cuMemcpyHtoDAsync, s->device_to, s->host_from, bytes, stream);
    if (op->direction == GCAST_D2H)
        return DRIVER_CALL(d, err, cuMemcpyDtoHAsync, s->host_to, s->device_from, bytes, stream);
    return DRIVER_CALL(d, err, cuMemcpyDtoDAsync, s->device_to, s->device_from, bytes, stream);
}

/* An event waits in the queue of the engine that its stream used last. Where that is
 * another one than the copy's, copies of other streams there would hold the copy up,
 * so its event goes elsewhere, and only tells when the call came to the GPU. */
static CUstream stream_of_event(session *s, const gcast_op *op)
{
    int mine = op->kind == GCAST_KIND_COPY ? 1 + (int)op->direction : 0;
    int before = atomic_exchange(&s->moved[op->stream], mine);
    return before && before != mine ? s->own : s->streams[op->stream];
}

gcast_status session_launch(session *s, size_t i, bool warm, gcast_error *err)
{
    const gcast_op *op = &s->w->ops[s->ops[i].op];
    const session_op *o = &s->at[i];
    const driver *d = &s->v.d;
    CUstream stream = s->streams[op->stream];
    gcast_status status;
    if (op->kind == GCAST_KIND_KERNEL) {
        CUdeviceptr records = s->records + o->first_record * sizeof(block_record);
        s->moved[op->stream] = 0;
        status = launch(s, s->k.variants.at[o->variant].function, op, stream, records, warm ? 0 : o->durations,
                        warm ? 1 : op->max_ns, warm, err);
    } else {
        status = DRIVER_CALL(d, err, cuEventRecord, o->before, stream_of_event(s, op));
        if (status == GCAST_OK)
            status = move(s, op, (size_t)op->bytes, stream, err);
        if (status == GCAST_OK)
            status = DRIVER_CALL(d, err, cuEventRecord, o->after, stream);
    }
    return session_blame(s, i, status, err);
}

gcast_status session_stamp(session *s, size_t i, block_record record[2], gcast_error *err)
{
    CUfunction plain = s->k.variants.at[0].function;
    gcast_status status = launch(s, plain, NULL, s->own, s->stamps, 0, 0, true, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&s->v.d, err, cuEventRecord, s->stamp[i], s->own);
    if (status == GCAST_OK)
        status = launch(s, plain, NULL, s->own, s->stamps + sizeof *record, 0, 0, true, err);
    return status == GCAST_OK ? session_fetch(s, record, s->stamps, 2 * sizeof *record, err) : status;
}

gcast_status session_fetch(session *s, void *to, CUdeviceptr from, size_t size, gcast_error *err)
{
    gcast_status status = DRIVER_CALL(&s->v.d, err, cuMemcpyDtoHAsync, to, from, size, s->own);
    return status == GCAST_OK ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->own) : status;
}
