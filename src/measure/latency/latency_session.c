#include "measure/latency/latency_session.h"

#include <stdlib.h>

#include "base/clock.h"

#define LIMIT_NS 60000000000 /* of one wait, where the caller sets none */

static gcast_status allocate(latency_session *s, gcast_error *err)
{
    gcast_status status = device_alloc(&s->v, &s->records, LATENCY_MAX_BATCH, sizeof(block_record), err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->busy_records, (uint64_t)s->v.gpu->sms, sizeof(block_record), err);
    if (status == GCAST_OK)
        status = device_alloc(&s->v, &s->device_memory, LATENCY_LONG_BYTES, 1, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&s->v.d, err, cuMemHostAlloc, &s->host_memory, LATENCY_LONG_BYTES, 0);
    if (status != GCAST_OK)
        return status;
    s->seen = calloc(LATENCY_MAX_BATCH, sizeof *s->seen);
    s->call_ns = calloc(LATENCY_MAX_BATCH, sizeof *s->call_ns);
    s->end_ns = calloc(LATENCY_MAX_BATCH, sizeof *s->end_ns);
    return s->seen && s->call_ns && s->end_ns ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status latency_session_open(latency_session *s, int sms, const gcast_measure_options *options, gcast_error *err)
{
    *s = (latency_session){.options = options, .copy_bytes = LATENCY_COPY_BYTES};
    gcast_op busy = gcast_op_default(GCAST_KIND_KERNEL);
    busy.body = GCAST_BODY_TIMER_SPIN;
    busy.carveout = GCAST_OP_CARVEOUT_MOST; /* as variant 0 has it: a change of carveout would make kernels wait */
    gcast_status status = device_open(&s->v, options->library, sms, err);
    if (status != GCAST_OK)
        return status;
    status = kernels_open(&s->k, &s->v, err);
    if (status != GCAST_OK) {
        device_close(&s->v);
        return status;
    }
    status = kernels_find(&s->k, &s->v, &busy, (kernel_needs){0}, &s->busy_variant, err);
    if (status == GCAST_OK)
        status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &s->stream, err);
    if (status == GCAST_OK)
        status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &s->busy_stream, err);
    if (status == GCAST_OK)
        status = allocate(s, err);
    if (status == GCAST_OK)
        status = host_load_start(&s->load, err);
    if (status != GCAST_OK)
        latency_session_close(s);
    return status;
}

static void free_on_gpu(latency_session *s)
{
    const driver *d = &s->v.d;
    d->cuCtxSynchronize();
    CUdeviceptr memory[] = {s->records, s->busy_records, s->device_memory};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i])
            d->cuMemFree(memory[i]);
    if (s->host_memory)
        d->cuMemFreeHost(s->host_memory);
    if (s->stream)
        d->cuStreamDestroy(s->stream);
    if (s->busy_stream)
        d->cuStreamDestroy(s->busy_stream);
    kernels_close(&s->k, &s->v);
    device_close(&s->v);
}

void latency_session_close(latency_session *s)
{
    host_load_stop(&s->load);
    free(s->seen);
    free(s->call_ns);
    free(s->end_ns);
    if (!s->abandoned) {
        free_on_gpu(s);
        return;
    }
    vec_free(&s->k.variants); /* all that is on the GPU ends with the process */
    gcast_gpu_free(s->v.gpu);
}

gcast_status latency_wait(latency_session *s, CUstream stream, int64_t *seen_ns, gcast_error *err)
{
    const driver *d = &s->v.d;
    int64_t limit = s->options->limit_ns ? s->options->limit_ns : LIMIT_NS, start = clock_now_ns();
    CUresult result;
    while ((result = d->cuStreamQuery(stream)) == CUDA_ERROR_NOT_READY)
        if (clock_now_ns() - start > limit) {
            s->abandoned = true;
            return gcast_error_set(err, GCAST_GPU, NULL, "a call whose latency is measured is not done after %lld ms",
                                   (long long)(limit / 1000000));
        }
    *seen_ns = clock_now_ns();
    return driver_status(d, result, "cuStreamQuery", err);
}
