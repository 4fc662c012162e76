#include "measure/smc/co_streams.h"

/* Splits what is left of the GPU; the last kernel gets all of it. */
static gcast_status open_green(co_stream *l, const gcast_smc_session *s, uint32_t kernel, bool is_last, uint32_t sms,
                               CUdevResource *left, gcast_error *err)
{
    const driver *d = &s->v.d;
    CUdevResource part = *left, rest = {0};
    CUdevResourceDesc description;
    unsigned groups = 1;
    gcast_status status = GCAST_OK;
    if (!is_last)
        status = DRIVER_CALL(d, err, cuDevSmResourceSplitByCount, &part, &groups, left, &rest,
                             CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING, sms);
    if (status == GCAST_OK && part.sm_count != sms)
        return gcast_error_set(err, GCAST_GPU, NULL, "there is no green context of %u SMs; the next has %u", sms,
                               part.sm_count);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuDevResourceGenerateDesc, &description, &part, 1);
    if (status == GCAST_OK && (status = DRIVER_CALL(d, err, cuGreenCtxCreate, &l->green, description, s->v.handle,
                                                    CU_GREEN_CTX_DEFAULT_STREAM)) != GCAST_OK)
        l->green = NULL;
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuCtxFromGreenCtx, &l->context, l->green);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuCtxSetCurrent, l->context);
    if (status == GCAST_OK)
        status = smc_program_load_original(&s->program[kernel], &l->module, &l->function, err);
    if (status == GCAST_OK && (status = DRIVER_CALL(d, err, cuGreenCtxStreamCreate, &l->stream, l->green,
                                                    CU_STREAM_NON_BLOCKING, 0)) != GCAST_OK)
        l->stream = NULL;
    *left = rest;
    return status;
}

gcast_status co_streams_open(co_stream *l, const gcast_smc_session *s, uint32_t kernels, const uint32_t *sms,
                             gcast_error *err)
{
    const driver *d = &s->v.d;
    CUdevResource left = {0};
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < kernels; i++)
        l[i] = (co_stream){.context = s->v.context, .function = s->program[i].original};
    if (sms && !d->partitions)
        return gcast_error_set(err, GCAST_GPU, NULL, "this driver has no green contexts; they need CUDA 12.4");
    if (sms)
        status = DRIVER_CALL(d, err, cuDeviceGetDevResource, s->v.handle, &left, CU_DEV_RESOURCE_TYPE_SM);
    for (uint32_t i = 0; i < kernels && status == GCAST_OK; i++) {
        if (sms)
            status = open_green(&l[i], s, i, i + 1 == kernels, sms[i], &left, err);
        else if ((status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &l[i].stream, err)) != GCAST_OK)
            l[i].stream = NULL;
    }
    return status;
}

void co_streams_close(co_stream *l, const gcast_smc_session *s, uint32_t kernels)
{
    const driver *d = &s->v.d;
    for (uint32_t i = 0; i < kernels; i++) {
        if (l[i].green)
            d->cuCtxSetCurrent(l[i].context);
        if (l[i].stream)
            d->cuStreamDestroy(l[i].stream);
        if (l[i].module)
            d->cuModuleUnload(l[i].module);
        if (l[i].green)
            d->cuGreenCtxDestroy(l[i].green);
    }
    d->cuCtxSetCurrent(s->v.context);
}
