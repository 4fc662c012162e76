#include "cli/smc/corun/corun_launches.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "cli/exec/arguments/kernel.h"
#include "cli/say.h"
#include "cli/smc/filling.h"

/* Makes the kernel SM-centric: the launch needs it, and it takes more of an SM than the original. */
static gcast_status transform(const corun_request *c, corun_kernel *k, const char *source, size_t size,
                              const gcast_ptx *original)
{
    gcast_smc_options options = gcast_smc_options_default();
    const char *ptx = k->launch->ptx;
    gcast_error err;
    gcast_status status = exec_kernel_find(original, k->launch->kernel, ptx, &k->number);
    if (status != GCAST_OK)
        return status == GCAST_USAGE ? GCAST_INPUT : status; /* the name is from a file */
    options.kernel = gcast_ptx_kernel(original, k->number);
    options.independent = args_has(c->smc->a, "independent");
    options.whole_warps = args_has(c->smc->a, "whole-warps");
    if (gcast_smc_transform(source, size, ptx, &options, &k->module, &k->module_size, &err) != GCAST_OK ||
        gcast_ptx_parse(k->module, k->module_size, ptx, &k->ptx, &err) != GCAST_OK)
        return say_error(&err);
    return exec_kernel_find(k->ptx, options.kernel, ptx, &k->number);
}

static gcast_status read_module(const corun_request *c, corun_kernel *k)
{
    char *source = NULL;
    size_t size;
    gcast_ptx *original = NULL;
    gcast_error err;
    gcast_status status = GCAST_OK;
    if (gcast_file_read(k->launch->ptx, &source, &size, &err) != GCAST_OK ||
        gcast_ptx_parse(source, size, k->launch->ptx, &original, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK)
        status = transform(c, k, source, size, original);
    gcast_ptx_free(original);
    free(source);
    return status;
}

/* The largest number of workers that the file knows a time for; at least 1. */
static uint32_t known_workers(const gcast_launch_file *l)
{
    uint32_t most = 1;
    for (size_t i = 0; i < l->time_count; i++)
        most = max_u32(most, l->times[i].workers);
    return l->time_count ? most : max_u32(most, (uint32_t)l->job_ns_count);
}

static gcast_status find_max_workers(const corun_request *c, const corun_kernel *k, uint32_t *out)
{
    const gcast_launch_file *l = k->launch;
    filling_shape shape = {true, {l->block[0], l->block[1], l->block[2]}, l->shared_bytes, l->registers};
    gcast_status status = filling_capacity(c->smc->gpu, &shape, k->ptx, k->number, out);
    if (status == GCAST_OK && *out == 0)
        *out = known_workers(l);
    return status;
}

gcast_status corun_launches_read(corun_request *c)
{
    const args *a = c->smc->a;
    gcast_error err;
    gcast_status status = GCAST_OK;
    c->launches.kernels = c->options.kernels = (uint32_t)a->operand_count;
    for (uint32_t i = 0; i < c->options.kernels && status == GCAST_OK; i++) {
        corun_kernel *k = &c->kernel[i];
        k->file = a->operands[i];
        if (gcast_launch_file_load(k->file, &k->launch, &err) != GCAST_OK)
            return say_error(&err);
        c->launches.launch[i] = k->launch;
        status = read_module(c, k);
        if (status == GCAST_OK)
            status = find_max_workers(c, k, &c->options.max_workers[i]);
    }
    return status;
}

void corun_launches_free(corun_request *c)
{
    for (uint32_t i = 0; i < c->options.kernels; i++) {
        gcast_ptx_free(c->kernel[i].ptx);
        free(c->kernel[i].module);
        gcast_launch_file_free(c->kernel[i].launch);
    }
}
