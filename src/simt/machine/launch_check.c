/* Checks a launch against the limits of GPUs, the directives of the kernel, and its placement. */
#include "simt/machine/launch_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/launch_given.h"

#define MAX_BLOCK_THREADS 1024
#define MAX_PARAM_BYTES_PTX_8_0 4096

/* The GPU of the options, or that of the PTX's target. */
typedef struct gpu_limits {
    const gcast_limits *limits; /* of its compute capability */
    char name[160];             /* for messages */
    int sms;                    /* 0: not known */
} gpu_limits;

gcast_status check_launch(const gcast_launch *l, gcast_error *err)
{
    static const uint32_t max_grid[3] = {INT32_MAX, 65535, 65535}, max_block[3] = {1024, 1024, 64};
    uint64_t threads = 1;
    gcast_status status = launch_given(l, err);
    if (status != GCAST_OK)
        return status;
    for (int i = 0; i < 3; i++) {
        if (l->grid[i] == 0 || l->grid[i] > max_grid[i])
            return gcast_error_set(err, GCAST_INPUT, "/grid", "%u blocks along %c: 1 to %u are possible", l->grid[i],
                                   "xyz"[i], max_grid[i]);
        if (l->block[i] == 0 || l->block[i] > max_block[i])
            return gcast_error_set(err, GCAST_INPUT, "/block", "%u threads along %c: 1 to %u are possible", l->block[i],
                                   "xyz"[i], max_block[i]);
        threads *= l->block[i];
    }
    if (threads > MAX_BLOCK_THREADS)
        return gcast_error_set(err, GCAST_INPUT, "/block", "%llu threads in a block: at most %d are possible",
                               (unsigned long long)threads, MAX_BLOCK_THREADS);
    return GCAST_OK;
}

/* Checks .reqntid and .maxntid. */
static gcast_status check_directives(const ptx_function *k, const gcast_launch *l, gcast_error *err)
{
    uint64_t threads = 1, max_threads = 1;
    bool required = false, limited = false;
    for (int i = 0; i < 3; i++) {
        threads *= l->block[i];
        max_threads *= k->max_threads[i] ? k->max_threads[i] : 1;
        required |= k->required_threads[i] != 0;
        limited |= k->max_threads[i] != 0;
    }
    for (int i = 0; i < 3 && required; i++)
        if (l->block[i] != (k->required_threads[i] ? k->required_threads[i] : 1))
            return gcast_error_set(err, GCAST_INPUT, "/block", "kernel %.100s demands blocks of %u x %u x %u threads",
                                   k->name, k->required_threads[0], k->required_threads[1] ? k->required_threads[1] : 1,
                                   k->required_threads[2] ? k->required_threads[2] : 1);
    if (limited && threads > max_threads)
        return gcast_error_set(err, GCAST_INPUT, "/block", "%llu threads in a block: kernel %.100s allows %llu",
                               (unsigned long long)threads, k->name, (unsigned long long)max_threads);
    return GCAST_OK;
}

static gpu_limits find_limits(const program *p, const gcast_simt_options *o)
{
    int sm = p->module->sm;
    gpu_limits gpu = {.limits = gcast_limits_find(sm / 10, sm % 10)};
    if (o->gpu) {
        gpu.limits = &o->gpu->limits;
        gpu.sms = o->gpu->sms;
        snprintf(gpu.name, sizeof gpu.name, "%.100s", o->gpu->name);
    } else if (gpu.limits) {
        snprintf(gpu.name, sizeof gpu.name, "compute capability %d.%d (the PTX's target)", gpu.limits->cc_major,
                 gpu.limits->cc_minor);
    } else {
        gpu.limits = gcast_limits_find(9, 0); /* no known GPU holds more */
        snprintf(gpu.name, sizeof gpu.name, "any GPU known here");
    }
    return gpu;
}

/* PTX for a later GPU cannot be compiled for an earlier one. */
static gcast_status check_target(const program *p, const gpu_limits *gpu, gcast_error *err)
{
    int cc = 10 * gpu->limits->cc_major + gpu->limits->cc_minor;
    if (p->module->sm <= cc)
        return GCAST_OK;
    return gcast_error_set(err, GCAST_INPUT, NULL, "the PTX is for sm_%d and later, %s has compute capability %d.%d",
                           p->module->sm, gpu->name, gpu->limits->cc_major, gpu->limits->cc_minor);
}

static gcast_status check_parameters(const program *p, const gpu_limits *gpu, gcast_error *err)
{
    const ptx_module *x = p->module;
    bool wide =
        gpu->limits->cc_major >= 7 && (x->version_major > 8 || (x->version_major == 8 && x->version_minor >= 1));
    uint32_t max_bytes = wide ? MAX_PARAM_BYTES : MAX_PARAM_BYTES_PTX_8_0;
    if (p->param_bytes <= max_bytes)
        return GCAST_OK;
    return gcast_error_set(
        err, GCAST_INPUT, "/arguments",
        "%u bytes of parameters: %u are the most with PTX %d.%d on %s, and %d from PTX 8.1 and sm_70 on",
        p->param_bytes, max_bytes, x->version_major, x->version_minor, gpu->name, MAX_PARAM_BYTES);
}

gcast_block_shape block_shape(const program *p, const gcast_launch *l, const gcast_simt_options *o)
{
    return (gcast_block_shape){.threads = (int)(l->block[0] * l->block[1] * l->block[2]),
                               .registers = (int)o->registers,
                               .static_smem = p->shared_bytes - p->reserved_shared - l->shared_bytes,
                               .dynamic_smem = l->shared_bytes};
}

/* An SM must hold a block; all SMs together must hold all blocks of a cooperative grid. */
static gcast_status check_resources(const program *p, const gcast_launch *l, const gcast_simt_options *o,
                                    const gpu_limits *gpu, gcast_error *err)
{
    gcast_occupancy fits;
    gcast_block_shape shape = block_shape(p, l, o);
    if (p->static_shared > (uint32_t)gpu->limits->smem_per_block_default)
        return gcast_error_set(
            err, GCAST_INPUT, NULL,
            "%u bytes of static shared memory per block: %d is the most, only with dynamic it may be more",
            p->static_shared, gpu->limits->smem_per_block_default);
    gcast_status status = gcast_occupancy_compute(gpu->limits, &shape, GCAST_CARVEOUT_DEFAULT, &fits, err);
    if (status != GCAST_OK)
        return status;
    if (!fits.blocks_per_sm)
        return gcast_error_set(err, GCAST_INPUT,
                               l->shared_bytes && !fits.limit[GCAST_RES_SHARED_MEMORY] ? "/shared_bytes" : "/block",
                               "no SM of %s holds such a block: %s", gpu->name, fits.reason);
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    uint64_t capacity = (uint64_t)fits.blocks_per_sm * (uint64_t)gpu->sms;
    if (p->workspace && gpu->sms && blocks > capacity)
        return gcast_error_set(err, GCAST_INPUT, "/grid",
                               "the blocks meet, so all %llu must run at once, and %s has room for %llu",
                               (unsigned long long)blocks, gpu->name, (unsigned long long)capacity);
    return GCAST_OK;
}

gcast_status check_kernel(const program *p, const gcast_launch *l, const gcast_simt_options *o, gcast_error *err)
{
    gpu_limits gpu = find_limits(p, o);
    gcast_status status = check_directives(p->function[0].source, l, err);
    if (status == GCAST_OK && o->gpu)
        status = check_target(p, &gpu, err);
    if (status == GCAST_OK)
        status = check_parameters(p, &gpu, err);
    return status == GCAST_OK ? check_resources(p, l, o, &gpu, err) : status;
}

static gcast_status check_sms(const gcast_simt_options *o, gcast_error *err)
{
    uint32_t sms = o->sms ? o->sms : 1;
    for (uint64_t i = 0; o->block_sm && i < o->placed_blocks; i++)
        if (o->block_sm[i] >= sms)
            return gcast_error_set(err, GCAST_USAGE, NULL, "the placement puts block %llu on SM %u, and there are %u",
                                   (unsigned long long)i, o->block_sm[i], sms);
    return GCAST_OK;
}

static gcast_status check_order(const gcast_simt_options *o, gcast_error *err)
{
    bool *starts = calloc(o->placed_blocks + 1, sizeof *starts); /* by block: it is in the order */
    gcast_status status = starts ? GCAST_OK : gcast_error_set_memory(err);
    for (uint64_t i = 0; i < o->placed_blocks && status == GCAST_OK; i++) {
        uint32_t number = o->block_order[i];
        if (number >= o->placed_blocks || starts[number])
            status = gcast_error_set(err, GCAST_USAGE, NULL, "the placement starts block %u, %s", number,
                                     number < o->placed_blocks ? "which it has started before" : "which is not there");
        else
            starts[number] = true;
    }
    free(starts);
    return status;
}

gcast_status check_placement(const gcast_launch *l, const gcast_simt_options *o, gcast_error *err)
{
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (!o->block_sm && !o->block_order)
        return GCAST_OK;
    if (o->placed_blocks != blocks)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the placement is of %llu blocks, and the grid has %llu",
                               (unsigned long long)o->placed_blocks, (unsigned long long)blocks);
    gcast_status status = check_sms(o, err);
    return status == GCAST_OK && o->block_order ? check_order(o, err) : status;
}
