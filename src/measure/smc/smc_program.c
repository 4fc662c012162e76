#include "measure/smc/smc_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/occupancy.h"
#include "measure/driver/driver.h"

#define MAX_REGISTERS 248 /* per thread, in the units in which an SM allocates them */
#define MIN_REGISTERS 32  /* with fewer, the code of a worker itself does not fit */

static gcast_status allow_shared(const smc_program *p, CUfunction function, gcast_error *err)
{
    if (!p->launch->shared_bytes)
        return GCAST_OK;
    return DRIVER_CALL(&p->v->d, err, cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                       (int)p->launch->shared_bytes);
}

gcast_status smc_program_load_original(const smc_program *p, CUmodule *module, CUfunction *function, gcast_error *err)
{
    gcast_status status = load_ptx(&p->v->d, p->source, module, err);
    if (status != GCAST_OK)
        return status;
    status = DRIVER_CALL(&p->v->d, err, cuModuleGetFunction, function, *module, p->launch->kernel);
    return status == GCAST_OK ? allow_shared(p, *function, err) : status;
}

/* Can the kernel be transformed? Checked before anything is sent to the GPU. */
static gcast_status check(const smc_program *p, const char *name, const gcast_smc_options *options, gcast_error *err)
{
    gcast_smc_options o = *options;
    gcast_ptx *ptx;
    o.kernel = p->launch->kernel;
    gcast_status status = gcast_ptx_parse(p->source, strlen(p->source), name, &ptx, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_smc_check(ptx, &o, err);
    if (status != GCAST_OK && err && name)
        snprintf(err->file, sizeof err->file, "%s", name);
    gcast_ptx_free(ptx);
    return status;
}

/* Finds the most registers with which an SM holds as many workers as blocks of the original. */
static gcast_status find_max_registers(smc_program *p, gcast_error *err)
{
    const gcast_launch *l = p->launch;
    int threads = (int)(l->block[0] * l->block[1] * l->block[2]), holds = 0;
    if (threads < 1 || threads > 1024)
        return gcast_error_set(err, GCAST_USAGE, "/block", "a block has 1 to 1024 threads");
    gcast_status status = DRIVER_CALL(&p->v->d, err, cuOccupancyMaxActiveBlocksPerMultiprocessor, &holds, p->original,
                                      threads, l->shared_bytes);
    for (int registers = MAX_REGISTERS; status == GCAST_OK && registers >= MIN_REGISTERS; registers -= 8) {
        gcast_block_shape shape = {.threads = threads, .registers = registers};
        gcast_occupancy o;
        status = gcast_occupancy_compute(&p->v->gpu->limits, &shape, GCAST_CARVEOUT_DEFAULT, &o, err);
        if (status == GCAST_OK && o.limit[GCAST_RES_REGISTERS] >= holds) {
            p->max_registers = (uint32_t)registers;
            break;
        }
    }
    return status;
}

static gcast_status load_transformed(smc_program *p, const char *name, const gcast_smc_options *options, bool records,
                                     gcast_error *err)
{
    gcast_smc_options o = *options;
    char *text = NULL;
    size_t size;
    o.kernel = p->launch->kernel;
    o.records = records;
    o.max_registers = p->max_registers;
    gcast_status status = gcast_smc_transform(p->source, strlen(p->source), name, &o, &text, &size, err);
    if (status == GCAST_OK)
        status = load_ptx(&p->v->d, text, &p->module[records], err);
    free(text);
    if (status == GCAST_OK)
        status = smc_on_gpu_open(&p->smc[records], &p->v->d, p->module[records], p->launch->kernel, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_holds(&p->smc[records], p->launch->block, p->launch->shared_bytes,
                                  records ? &p->holds_with_records : &p->holds, err);
    return status;
}

static gcast_status allocate(smc_program *p, gcast_error *err)
{
    const gcast_launch *l = p->launch;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < l->buffers && status == GCAST_OK; i++)
        status = device_alloc(p->v, &p->memory[i], l->buffer[i].bytes ? l->buffer[i].bytes : 1, 1, err);
    for (uint32_t i = 0; i < l->arguments; i++)
        p->parameters[i] = l->argument[i].buffer >= 0 ? (void *)&p->memory[l->argument[i].buffer]
                                                      : (void *)(uintptr_t)l->argument[i].value;
    return status;
}

gcast_status smc_program_open(smc_program *p, const device *v, const char *source, size_t size, const char *name,
                              const gcast_launch *launch, const gcast_smc_options *options, gcast_error *err)
{
    *p = (smc_program){.v = v,
                       .launch = launch,
                       .source = malloc(size + 1),
                       .memory = calloc((size_t)launch->buffers + 1, sizeof *p->memory),
                       .parameters = calloc((size_t)launch->arguments + 1, sizeof *p->parameters)};
    if (!p->source || !p->memory || !p->parameters)
        return gcast_error_set_memory(err);
    memcpy(p->source, source, size);
    p->source[size] = '\0';
    gcast_status status = check(p, name, options, err);
    if (status == GCAST_OK)
        status = smc_program_load_original(p, &p->original_module, &p->original, err);
    if (status == GCAST_OK)
        status = find_max_registers(p, err);
    if (status == GCAST_OK)
        status = load_transformed(p, name, options, false, err);
    if (status == GCAST_OK)
        status = load_transformed(p, name, options, true, err);
    if (status == GCAST_OK && (status = device_stream(v, CU_STREAM_NON_BLOCKING, 0, &p->stream, err)) != GCAST_OK)
        p->stream = NULL;
    for (int i = 0; i < 2 && status == GCAST_OK; i++)
        if ((status = DRIVER_CALL(&v->d, err, cuEventCreate, &p->event[i], CU_EVENT_DEFAULT)) != GCAST_OK)
            p->event[i] = NULL;
    if (status == GCAST_OK)
        status = allocate(p, err);
    return status == GCAST_OK ? smc_program_send(p, err) : status;
}

void smc_program_close(smc_program *p)
{
    if (!p->v)
        return;
    const driver *d = &p->v->d;
    for (int i = 0; i < 2; i++) {
        smc_on_gpu_close(&p->smc[i]);
        if (p->module[i])
            d->cuModuleUnload(p->module[i]);
        if (p->event[i])
            d->cuEventDestroy(p->event[i]);
    }
    if (p->original_module)
        d->cuModuleUnload(p->original_module);
    for (uint32_t i = 0; p->memory && i < p->launch->buffers; i++)
        if (p->memory[i])
            d->cuMemFree(p->memory[i]);
    if (p->stream)
        d->cuStreamDestroy(p->stream);
    gcast_plan_free(p->plan);
    free(p->source);
    free(p->memory);
    free(p->parameters);
}

gcast_status smc_program_send(const smc_program *p, gcast_error *err)
{
    const driver *d = &p->v->d;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < p->launch->buffers && status == GCAST_OK; i++)
        if (p->launch->buffer[i].bytes)
            status = DRIVER_CALL(d, err, cuMemcpyHtoDAsync, p->memory[i], p->launch->buffer[i].data,
                                 p->launch->buffer[i].bytes, p->stream);
    CUresult done = d->cuStreamSynchronize(p->stream);
    return status == GCAST_OK ? driver_status(d, done, "cuStreamSynchronize", err) : status;
}

gcast_status smc_program_fetch(const smc_program *p, unsigned char *bytes, gcast_error *err)
{
    const driver *d = &p->v->d;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < p->launch->buffers && status == GCAST_OK; bytes += p->launch->buffer[i++].bytes)
        if (p->launch->buffer[i].bytes)
            status = DRIVER_CALL(d, err, cuMemcpyDtoHAsync, bytes, p->memory[i], p->launch->buffer[i].bytes, p->stream);
    CUresult done = d->cuStreamSynchronize(p->stream);
    return status == GCAST_OK ? driver_status(d, done, "cuStreamSynchronize", err) : status;
}

gcast_smc_launch_arguments smc_program_arguments(const smc_program *p)
{
    const uint32_t *b = p->launch->block;
    return (gcast_smc_launch_arguments){.block = {b[0], b[1], b[2]},
                                        .shared_bytes = p->launch->shared_bytes,
                                        .stream = p->stream,
                                        .parameters = p->parameters};
}

gcast_status smc_program_start(const smc_program *p, CUfunction function, CUstream stream, gcast_error *err)
{
    const gcast_launch *l = p->launch;
    return DRIVER_CALL(&p->v->d, err, cuLaunchKernel, function, l->grid[0], l->grid[1], l->grid[2], l->block[0],
                       l->block[1], l->block[2], l->shared_bytes, stream, p->parameters, NULL);
}
