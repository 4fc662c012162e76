#include "measure/driver/device.h"

#include <stdio.h>

#include "base/checked.h"

#define MIN_CC_MAJOR 7 /* the kernels need nanosleep, and threads of a warp that wait independently */

/* An error before anything runs means that there is no GPU to use. */
static gcast_status unusable(gcast_status status, gcast_error *err)
{
    if (status == GCAST_OK || !err)
        return status;
    gcast_error cause = *err;
    return gcast_error_set(err, status, NULL, "no usable GPU: %s", cause.message);
}

static gcast_status describe(device *v, gcast_error *err)
{
    const driver *d = &v->d;
    char name[128] = "";
    int major = 0, minor = 0, sms = 0;
    gcast_status status = DRIVER_CALL(d, err, cuDeviceGetName, name, (int)sizeof name - 1, v->handle);
    const struct {
        int attribute, *value;
    } attributes[] = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
                      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
                      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &sms}};
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0] && status == GCAST_OK; i++)
        status = DRIVER_CALL(d, err, cuDeviceGetAttribute, attributes[i].value, attributes[i].attribute, v->handle);
    if (status != GCAST_OK)
        return status;
    if (major < MIN_CC_MAJOR)
        return gcast_error_set(err, GCAST_GPU, NULL, "%s has compute capability %d.%d; measuring needs %d.0 or newer",
                               name, major, minor, MIN_CC_MAJOR);
    if (!gcast_limits_find(major, minor))
        return gcast_error_set(err, GCAST_GPU, NULL, "%s has compute capability %d.%d, which is not known here", name,
                               major, minor);
    status = gcast_gpu_create(name, major, minor, sms, &v->gpu, err);
    return status == GCAST_OK ? gcast_gpu_keep_text(v->gpu, name, &v->gpu->title, err) : status;
}

/* Without co-scheduling of SMs, so that partitions of 2 SMs are possible. */
static gcast_status partition(device *v, int sms, gcast_error *err)
{
    const driver *d = &v->d;
    CUdevResource all = {0}, part = {0}, rest = {0};
    CUdevResourceDesc description;
    unsigned groups = 1;
    if (!d->partitions)
        return gcast_error_set(err, GCAST_GPU, "/partition",
                               "this driver cannot take a partition; that needs CUDA 12.4");
    gcast_status status = gcast_gpu_partition(v->gpu, sms, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuDeviceGetDevResource, v->handle, &all, CU_DEV_RESOURCE_TYPE_SM);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuDevSmResourceSplitByCount, &part, &groups, &all, &rest,
                             CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING, (unsigned)sms);
    if (status == GCAST_OK && part.sm_count != (unsigned)sms)
        return gcast_error_set(err, GCAST_GPU, "/partition/sms", "%s has no partition of %d SMs; the next is of %u",
                               v->gpu->name, sms, part.sm_count);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuDevResourceGenerateDesc, &description, &part, 1);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuGreenCtxCreate, &v->green, description, v->handle, CU_GREEN_CTX_DEFAULT_STREAM);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuCtxFromGreenCtx, &v->context, v->green);
    return status;
}

gcast_status device_open(device *v, const char *library, int sms, gcast_error *err)
{
    *v = (device){0};
    const driver *d = &v->d;
    gcast_status status = driver_open(&v->d, library, err);
    if (status != GCAST_OK)
        return status;
    status = unusable(DRIVER_CALL(d, err, cuInit, 0), err);
    if (status == GCAST_OK)
        status = unusable(DRIVER_CALL(d, err, cuDeviceGet, &v->handle, 0), err);
    if (status == GCAST_OK)
        status = describe(v, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuDevicePrimaryCtxRetain, &v->primary, v->handle);
    v->context = v->primary;
    if (status == GCAST_OK && sms)
        status = partition(v, sms, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuCtxSetCurrent, v->context);
    if (status != GCAST_OK)
        device_close(v);
    return status;
}

void device_close(device *v)
{
    if (v->green)
        v->d.cuGreenCtxDestroy(v->green);
    if (v->primary)
        v->d.cuDevicePrimaryCtxRelease(v->handle);
    gcast_gpu_free(v->gpu);
    driver_close(&v->d);
}

gcast_status device_alloc(const device *v, CUdeviceptr *memory, uint64_t count, size_t size, gcast_error *err)
{
    size_t bytes;
    *memory = 0;
    if (!checked_mul(count, size, &bytes))
        return gcast_error_set_memory(err);
    CUdeviceptr allocated = 0;
    gcast_status status = bytes ? DRIVER_CALL(&v->d, err, cuMemAlloc, &allocated, bytes) : GCAST_OK;
    *memory = status == GCAST_OK ? allocated : 0;
    return status;
}

gcast_status device_stream(const device *v, unsigned flags, int priority, CUstream *stream, gcast_error *err)
{
    if (v->green && flags == CU_STREAM_NON_BLOCKING)
        return DRIVER_CALL(&v->d, err, cuGreenCtxStreamCreate, stream, v->green, flags, priority);
    return DRIVER_CALL(&v->d, err, cuStreamCreateWithPriority, stream, flags, priority);
}
