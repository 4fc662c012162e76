#include "measure/gpu_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/api.h"
#include "base/clock.h"
#include "base/launch_given.h"
#include "measure/driver/driver.h"
#include "model/exec.h"

#define POLL_NS 20000 /* between two queries of the stream */

/* Finds the variables of the module, which must be as large as the launch says. */
static gcast_status find_variables(gpu_run *g, const gcast_launch *l, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    g->variable = calloc((size_t)l->variables + 1, sizeof *g->variable);
    if (!g->variable)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < l->variables && status == GCAST_OK; i++) {
        const gcast_variable *v = &l->variable[i];
        size_t bytes = 0;
        CUresult result = g->v.d.cuModuleGetGlobal(&g->variable[i], &bytes, g->module, v->name);
        if (result == CUDA_ERROR_NOT_FOUND)
            status = gcast_error_set(err, GCAST_INPUT, "/variable", "the module has no variable %s", v->name);
        else
            status = driver_status(&g->v.d, result, "cuModuleGetGlobal", err);
        if (status == GCAST_OK && bytes != v->bytes)
            status = gcast_error_set(err, GCAST_INPUT, "/variable", "%s has %zu bytes on the GPU, not %zu", v->name,
                                     bytes, v->bytes);
    }
    return status;
}

gcast_status gpu_run_find(gpu_run *g, const gcast_launch *l, gcast_error *err)
{
    const driver *d = &g->v.d;
    gcast_status status = DRIVER_CALL(d, err, cuModuleGetFunction, &g->function, g->module, l->kernel);
    if (status == GCAST_OK && l->shared_bytes > INT_MAX)
        status =
            gcast_error_set(err, GCAST_GPU, NULL, "no GPU has %u bytes of shared memory per block", l->shared_bytes);
    if (status == GCAST_OK && l->variables)
        status = find_variables(g, l, err);
    if (status == GCAST_OK && l->shared_bytes) /* more than 48 KiB with the static part must be asked for */
        status = DRIVER_CALL(d, err, cuFuncSetAttribute, g->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             (int)l->shared_bytes);
    return status;
}

gcast_status gpu_run_send(gpu_run *g, const gcast_launch *l, gcast_error *err)
{
    const driver *d = &g->v.d;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < l->buffers && status == GCAST_OK; i++) {
        const gcast_buffer *b = &l->buffer[i];
        CUdeviceptr memory = g->memory[i];
        if (!memory)
            status = DRIVER_CALL(d, err, cuMemAlloc, &memory, b->bytes ? b->bytes : 1);
        if (status != GCAST_OK)
            break;
        g->memory[i] = memory;
        if (b->bytes)
            status = DRIVER_CALL(d, err, cuMemcpyHtoDAsync, memory, b->data, b->bytes, g->stream);
    }
    for (uint32_t i = 0; i < l->variables && status == GCAST_OK; i++)
        if (l->variable[i].is_set && l->variable[i].bytes)
            status = DRIVER_CALL(d, err, cuMemcpyHtoDAsync, g->variable[i], l->variable[i].data, l->variable[i].bytes,
                                 g->stream);
    return status == GCAST_OK ? DRIVER_CALL(d, err, cuStreamSynchronize, g->stream) : status;
}

/* Waits for the end of the kernel. Polls, so that the limit applies. */
static gcast_status wait_for_kernel(gpu_run *g, const gcast_launch *l, int64_t limit, gcast_error *err)
{
    const driver *d = &g->v.d;
    const struct timespec pause = {0, POLL_NS};
    int64_t end = clock_now_ns() + limit;
    for (CUresult result; (result = d->cuStreamQuery(g->stream)) != CUDA_SUCCESS;) {
        if (result != CUDA_ERROR_NOT_READY)
            return driver_status(d, result, l->kernel, err);
        if (g->options && g->options->progress && !g->options->progress(g->options->progress_data, g->fraction)) {
            g->abandoned = true;
            return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        }
        if (clock_now_ns() > end) {
            g->abandoned = true;
            return gcast_error_set(err, GCAST_GPU, NULL, "%s still runs after %lld ms; given up", l->kernel,
                                   (long long)(limit / 1000000));
        }
        nanosleep(&pause, NULL);
    }
    return driver_status(d, d->cuCtxSynchronize(), "cuCtxSynchronize", err); /* shows the kernel's printf */
}

static gcast_status start_kernel(gpu_run *g, const gcast_launch *l, gcast_error *err)
{
    void **parameters = calloc((size_t)l->arguments + 1, sizeof *parameters);
    if (!parameters)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < l->arguments; i++) {
        const gcast_argument *a = &l->argument[i];
        parameters[i] = a->buffer >= 0 ? (void *)&g->memory[a->buffer] : (void *)(uintptr_t)a->value;
    }
    const uint32_t *n = l->grid, *b = l->block;
    gcast_status status = l->cooperative ? DRIVER_CALL(&g->v.d, err, cuLaunchCooperativeKernel, g->function, n[0], n[1],
                                                       n[2], b[0], b[1], b[2], l->shared_bytes, g->stream, parameters)
                                         : DRIVER_CALL(&g->v.d, err, cuLaunchKernel, g->function, n[0], n[1], n[2],
                                                       b[0], b[1], b[2], l->shared_bytes, g->stream, parameters, NULL);
    free(parameters);
    return status;
}

/* Memory of the GPU that is fetched: of the buffers first, then of the variables. */
typedef struct fetched {
    CUdeviceptr source; /* on the GPU */
    void *target;       /* the caller's memory */
    size_t bytes;       /* of both */
    void *copy;         /* holds the bytes until all others have been fetched */
} fetched;

static fetched fetched_at(const gpu_run *g, const gcast_launch *l, uint32_t i)
{
    if (i < l->buffers)
        return (fetched){g->memory[i], l->buffer[i].data, l->buffer[i].bytes, NULL};
    i -= l->buffers;
    return (fetched){g->variable[i], l->variable[i].data, l->variable[i].bytes, NULL};
}

gcast_status gpu_run_fetch(gpu_run *g, gcast_launch *l, gcast_error *err)
{
    const driver *d = &g->v.d;
    gcast_status status = GCAST_OK;
    uint32_t count = l->buffers + l->variables;
    fetched *all = calloc((size_t)count + 1, sizeof *all);
    if (!all)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < count && status == GCAST_OK; i++) {
        all[i] = fetched_at(g, l, i);
        all[i].copy = malloc(all[i].bytes ? all[i].bytes : 1);
        if (!all[i].copy)
            status = gcast_error_set_memory(err);
        else if (all[i].bytes)
            status = DRIVER_CALL(d, err, cuMemcpyDtoHAsync, all[i].copy, all[i].source, all[i].bytes, g->stream);
    }
    CUresult done = d->cuStreamSynchronize(g->stream); /* also on failure: copies may be under way */
    if (status == GCAST_OK)
        status = driver_status(d, done, "cuStreamSynchronize", err);
    for (uint32_t i = 0; i < count; i++) {
        if (status == GCAST_OK && all[i].bytes)
            memcpy(all[i].target, all[i].copy, all[i].bytes);
        free(all[i].copy);
    }
    free(all);
    return status;
}

void gpu_run_close(gpu_run *g)
{
    const driver *d = &g->v.d;
    if (g->abandoned) {
        gcast_gpu_free(g->v.gpu);
    } else if (g->is_open) {
        for (uint32_t i = 0; i < g->buffers; i++)
            if (g->memory[i])
                d->cuMemFree(g->memory[i]);
        if (g->stream)
            d->cuStreamDestroy(g->stream);
        if (g->module)
            d->cuModuleUnload(g->module);
        device_close(&g->v);
    }
    free(g->memory);
    free(g->variable);
}

gcast_status gpu_run_launch(gpu_run *g, const gcast_launch *l, int64_t limit_ns, gcast_error *err)
{
    gcast_status status = start_kernel(g, l, err);
    return status == GCAST_OK ? wait_for_kernel(g, l, limit_ns ? limit_ns : GPU_RUN_LIMIT_NS, err) : status;
}

gcast_status gpu_run_open(gpu_run *g, const char *ptx, uint32_t buffers, const char *library, gcast_error *err)
{
    *g = (gpu_run){.buffers = buffers, .memory = calloc((size_t)buffers + 1, sizeof(CUdeviceptr))};
    if (!g->memory)
        return gcast_error_set_memory(err);
    gcast_status status = device_open(&g->v, library, 0, err);
    if (status != GCAST_OK)
        return status;
    g->is_open = true;
    status = load_ptx(&g->v.d, ptx, &g->module, err);
    if (status == GCAST_OK && (status = device_stream(&g->v, CU_STREAM_NON_BLOCKING, 0, &g->stream, err)) != GCAST_OK)
        g->stream = NULL;
    return status;
}

gcast_status gcast_gpu_exec(const char *ptx, gcast_launch *launch, const gcast_gpu_exec_options *given,
                            gcast_error *err)
{
    if (!ptx || !launch || !launch->kernel)
        return argument_missing(err);
    gcast_gpu_exec_options own = gcast_gpu_exec_options_default();
    const gcast_gpu_exec_options *options = &own;
    gpu_run g;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_gpu_exec_options", err);
    if (status == GCAST_OK)
        status = launch_given(launch, err);
    if (status != GCAST_OK)
        return status;
    status = gpu_run_open(&g, ptx, launch->buffers, options->library, err);
    g.options = options;
    g.fraction = -1;
    if (status == GCAST_OK)
        status = gpu_run_find(&g, launch, err);
    if (status == GCAST_OK)
        status = gpu_run_send(&g, launch, err);
    if (status == GCAST_OK)
        status = gpu_run_launch(&g, launch, options->limit_ns, err);
    if (status == GCAST_OK)
        status = gpu_run_fetch(&g, launch, err);
    gpu_run_close(&g);
    return status;
}
