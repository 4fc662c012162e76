#include "cli/smc/gpu_filling.h"

#include <stdlib.h>

#include "base/integers.h"
#include "cli/exec/exec_launch.h"
#include "cli/say.h"
#include "ptx/public.h"

#define MAX_THREADS 1024
#define MAX_SHARED_BYTES (16 << 20)
#define MAX_REGISTERS 255

gcast_status filling_shape_read(const args *a, filling_shape *out)
{
    static const uint32_t max_block[3] = {MAX_THREADS, MAX_THREADS, 64};
    int64_t shared = 0, registers = 0;
    *out = (filling_shape){.is_known = args_has(a, "block")};
    gcast_status status = out->is_known ? args_dims(a, "block", max_block, out->block) : GCAST_OK;
    uint64_t threads = (uint64_t)out->block[0] * out->block[1] * out->block[2];
    if (status == GCAST_OK && threads > MAX_THREADS)
        status = say(GCAST_USAGE, "--block has %llu threads; %d is the most", (unsigned long long)threads, MAX_THREADS);
    if (status == GCAST_OK)
        status = args_int(a, "shared", 0, MAX_SHARED_BYTES, &shared);
    if (status == GCAST_OK)
        status = args_int(a, "registers", 1, MAX_REGISTERS, &registers);
    if (status == GCAST_OK && !out->is_known && (args_has(a, "shared") || args_has(a, "registers")))
        status = say(GCAST_USAGE, "--%s needs --block", args_has(a, "shared") ? "shared" : "registers");
    out->shared_bytes = (uint32_t)shared;
    out->registers = (uint32_t)registers;
    return status;
}

/* What a block takes of an SM. The values of its arguments do not matter: all are zero. */
static gcast_status block_shape(const filling_shape *shape, const gcast_ptx *p, uint32_t kernel, gcast_block_shape *out,
                                gcast_error *err)
{
    uint64_t bytes = 1;
    uint32_t params = gcast_ptx_params(p, kernel);
    gcast_simt_options options = gcast_simt_options_default();
    gcast_launch launch = {.kernel = gcast_ptx_kernel(p, kernel),
                           .grid = {1, 1, 1},
                           .block = {shape->block[0], shape->block[1], shape->block[2]},
                           .shared_bytes = shape->shared_bytes,
                           .arguments = params};
    for (uint32_t i = 0; i < params; i++)
        bytes = max_u64(bytes, gcast_ptx_param_bytes(p, kernel, i));
    void *zeros = calloc(bytes, 1);
    launch.argument = calloc((size_t)params + 1, sizeof *launch.argument);
    gcast_status status = zeros && launch.argument ? GCAST_OK : gcast_error_set_memory(err);
    for (uint32_t i = 0; i < params && status == GCAST_OK; i++)
        launch.argument[i] =
            (gcast_argument){.buffer = -1, .value = zeros, .bytes = gcast_ptx_param_bytes(p, kernel, i)};
    options.registers = shape->registers;
    if (status == GCAST_OK)
        status = gcast_simt_block_shape(p, &launch, &options, out, err);
    free(launch.argument);
    free(zeros);
    return status;
}

gcast_status filling_capacity(const gcast_gpu *gpu, const filling_shape *shape, const gcast_ptx *p, uint32_t kernel,
                              uint32_t *out)
{
    gcast_block_shape block;
    gcast_occupancy fits;
    gcast_error err;
    *out = 0;
    gcast_status status = block_shape(shape, p, kernel, &block, &err);
    if (status == GCAST_INPUT)
        return GCAST_OK;
    if (status == GCAST_OK)
        status = gcast_occupancy_compute(exec_limits(gpu, p), &block, GCAST_CARVEOUT_DEFAULT, &fits, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    if (!fits.blocks_per_sm)
        return say(GCAST_INPUT, "no SM holds a block of %s: %s", gcast_ptx_kernel(p, kernel), fits.reason);
    *out = (uint32_t)fits.blocks_per_sm;
    return GCAST_OK;
}

/* The grid alone cannot make a GPU give every SM its workers: jobs may be lost. */
static void warn_of_loss(const smc_request *r, const char *kernel, text *out)
{
    if (r->plan->mapping == GCAST_MAPPING_PERSISTENT || r->plan->steal)
        return;
    text_str(out, "if an SM gets fewer workers, jobs stay undone: after each launch ");
    text_terminal(out, kernel);
    text_str(out, "_smc_lost must be 0\n");
}

gcast_status filling_line(const smc_request *r, const filling_shape *shape, const gcast_ptx *p, uint32_t kernel,
                          text *out)
{
    /* each worker has jobs that no other worker does */
    bool is_divided = r->plan->mapping == GCAST_MAPPING_ONE_JOB || r->plan->mapping == GCAST_MAPPING_SEGMENTS;
    bool is_bound = r->plan->mapping != GCAST_MAPPING_PERSISTENT; /* each SM has its workers */
    uint32_t capacity = 0, workers = 0, max_workers = 0;
    gcast_status status = shape->is_known ? filling_capacity(r->gpu, shape, p, kernel, &capacity) : GCAST_OK;
    if (status != GCAST_OK)
        return status;
    for (uint32_t sm = 0; is_bound && sm < r->plan->sms; sm++)
        max_workers = max_u32(max_workers, r->plan->workers[sm]);
    workers = is_divided ? max_workers : 0;
    text_str(out, "launch ");
    text_terminal(out, gcast_ptx_kernel(p, kernel));
    if (!capacity) {
        text_printf(out, " with a grid of M x %u blocks, where an SM holds M%s\n", r->plan->sms,
                    shape->is_known ? "" : " (--block tells)");
        warn_of_loss(r, gcast_ptx_kernel(p, kernel), out);
        return GCAST_OK;
    }
    uint32_t per_sm = max_u32(capacity, workers);
    text_printf(out, " with a grid of %u x %u = %llu blocks: an SM holds %u", per_sm, r->plan->sms,
                (unsigned long long)per_sm * r->plan->sms, capacity);
    if (workers > capacity)
        text_printf(out, ", and the plan has %u workers for it, so jobs may be missing", workers);
    if (is_bound && max_workers < capacity && !args_has(r->a, "workers") && !args_has(r->a, "plan"))
        text_printf(out, ", of which %u work%s by this plan (--workers)", max_workers, max_workers == 1 ? "s" : "");
    text_char(out, '\n');
    warn_of_loss(r, gcast_ptx_kernel(p, kernel), out);
    return GCAST_OK;
}
