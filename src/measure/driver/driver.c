#include "measure/driver/driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "model/gpu.h"

#define MIN_CC_MAJOR 7 /* the kernels need nanosleep, and threads of a warp that wait independently */

typedef struct symbol {
    const char *name; /* as the library spells it */
    size_t offset;    /* of its pointer in a driver */
} symbol;

#define X(name, version, arguments) {#name version, offsetof(driver, name)},
static const symbol required[] = {DRIVER_REQUIRED(X)};
static const symbol optional[] = {DRIVER_OPTIONAL(X)};
static const symbol linking[] = {DRIVER_LINKING(X)};
static const symbol attributes[] = {DRIVER_ATTRIBUTES(X)};
static const symbol graphs[] = {DRIVER_GRAPHS(X)};
static const symbol ports[] = {DRIVER_PORTS(X)};
#undef X
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Fills in the symbols; returns NULL, or the first one that is missing. */
static const char *resolve(driver *d, const symbol *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(d->library, table[i].name);
        if (!address)
            return table[i].name;
        memcpy((char *)d + table[i].offset, &address, sizeof address);
    }
    return NULL;
}

/* A lack of memory or files says nothing about the GPU, and is another error. The loader reports it by errno, in its
 * message, or not at all. */
static gcast_status cannot_open(const char *library, int reason, gcast_error *err)
{
    static const int resources[] = {ENOMEM, EMFILE, ENFILE};
    const char *why = dlerror();
    for (size_t i = 0; i < COUNT(resources); i++)
        if (reason == resources[i] || (why && strstr(why, strerror(resources[i]))))
            return gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: %s", library, strerror(resources[i]));
    return gcast_error_set(err, GCAST_GPU, NULL, "no usable GPU: %s cannot be opened", library);
}

gcast_status driver_open(driver *d, const char *library, gcast_error *err)
{
    errno = 0;
    *d = (driver){.library = dlopen(library, RTLD_NOW | RTLD_LOCAL)};
    if (!d->library)
        return cannot_open(library, errno, err);
    const char *missing = resolve(d, required, COUNT(required));
    if (missing) {
        driver_close(d);
        return gcast_error_set(err, GCAST_GPU, NULL, "no usable GPU: %s has no %s", library, missing);
    }
    d->partitions = !resolve(d, optional, COUNT(optional));
    d->linking = !resolve(d, linking, COUNT(linking));
    d->attributes = !resolve(d, attributes, COUNT(attributes));
    d->graphs = !resolve(d, graphs, COUNT(graphs));
    d->ports = !resolve(d, ports, COUNT(ports));
    return GCAST_OK;
}

void driver_close(driver *d)
{
    if (d->library)
        dlclose(d->library);
    d->library = NULL;
}

gcast_status driver_status(const driver *d, CUresult result, const char *name, gcast_error *err)
{
    const char *text = NULL;
    if (result == CUDA_SUCCESS)
        return GCAST_OK;
    if (d->cuGetErrorName(result, &text) != CUDA_SUCCESS || !text)
        return gcast_error_set(err, GCAST_GPU, NULL, "%s: CUDA error %d", name, result);
    return gcast_error_set(err, GCAST_GPU, NULL, "%s: %s", name, text);
}

gcast_status driver_log_error(char log[DRIVER_LOG_BYTES], gcast_status status, gcast_error *err)
{
    log[strcspn(log, "\r\n")] = '\0';
    if (log[0] && err) {
        gcast_error cause = *err;
        gcast_error_set(err, status, NULL, "%s: %.400s", cause.message, log);
    }
    return status;
}

gcast_status load_ptx(const driver *d, const char *ptx, CUmodule *module, gcast_error *err)
{
    char log[DRIVER_LOG_BYTES] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(DRIVER_LOG_BYTES - 1)};
    CUresult result = d->cuModuleLoadDataEx(module, ptx, 2, options, values);
    gcast_status status = driver_status(d, result, "cuModuleLoadDataEx", err);
    if (status == GCAST_OK)
        return status;
    *module = NULL;
    return driver_log_error(log, status, err);
}

/* An error of the first calls means that there is no usable GPU. */
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
    } queries[] = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
                   {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
                   {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &sms}};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0] && status == GCAST_OK; i++)
        status = DRIVER_CALL(d, err, cuDeviceGetAttribute, queries[i].value, queries[i].attribute, v->handle);
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

/* Takes a partition without co-scheduling of SMs, so that one of 2 SMs is possible. */
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
