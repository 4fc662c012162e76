/* gcast_gpu_check: is every field of a GPU in range, and do they fit together? Paths are the JSON names of fields. */
#include <stdio.h>

#include "base/api/argument_missing.h"
#include "model/gpu/fields.h"
#include "model/gpu/gpcs/gpcs.h"
#include "model/gpu/latency.h"

static gcast_status check_smem(const gcast_limits *l, gcast_error *err)
{
    if (l->smem_per_block > l->smem_per_sm - l->smem_reserved)
        return gcast_error_set(err, GCAST_INPUT, "/smem_per_block",
                               "%d and the reserve of %d are more than the SM's %d", l->smem_per_block,
                               l->smem_reserved, l->smem_per_sm);
    if (l->smem_per_block_default > l->smem_per_block)
        return gcast_error_set(err, GCAST_INPUT, "/smem_per_block_default", "%d is more than the %d with opt-in",
                               l->smem_per_block_default, l->smem_per_block);
    if (l->carveouts < 1 || l->carveouts > GCAST_MAX_CARVEOUTS || l->carveout[l->carveouts - 1] != l->smem_per_sm)
        return gcast_error_set(err, GCAST_INPUT, "/carveouts", "must list 1 to %d sizes, the last one the SM's %d",
                               GCAST_MAX_CARVEOUTS, l->smem_per_sm);
    for (int i = 0; i < l->carveouts; i++)
        if (l->carveout[i] < 0 || (i && l->carveout[i] <= l->carveout[i - 1]))
            return gcast_error_set(err, GCAST_INPUT, "/carveouts", "must ascend");
    return GCAST_OK;
}

gcast_status gcast_gpu_check(const gcast_gpu *gpu, gcast_error *err)
{
    if (!gpu)
        return argument_missing(err);
    if (!gpu->name || !gpu->title || !gpu_sources_are_there(gpu))
        return gcast_error_set(err, GCAST_INPUT, NULL, "a GPU without a name, title or sources");
    const gcast_limits *l = &gpu->limits;
    for (size_t i = 0; i < gpu_field_count; i++) {
        const gpu_field *f = &gpu_fields[i];
        int64_t v = gpu_field_get(gpu, f);
        char path[64];
        snprintf(path, sizeof path, "/%s", f->key);
        if (v < f->lo || v > f->hi)
            return gpu_field_range_error(f, path, v, err);
    }
    if ((unsigned)gpu->placement >= GCAST_PLACEMENTS)
        return gcast_error_set(err, GCAST_INPUT, "/placement", "there is no such placement");
    if ((unsigned)gpu->tie_order >= GCAST_TIE_ORDERS)
        return gcast_error_set(err, GCAST_INPUT, "/tie_order", "there is no such order");
    if (gpu->register_quarters && (l->registers_per_sm % GCAST_QUARTERS || l->warps_per_sm % GCAST_QUARTERS))
        return gcast_error_set(err, GCAST_INPUT, "/register_quarters", "registers and warps of an SM must divide by 4");
    if (gpu->wake_ns % 4)
        return gcast_error_set(err, GCAST_INPUT, "/wake_ns", "must be a multiple of 4 ns");
    if ((gpu->tie_order == GCAST_TIES_LIST) != (gpu->tie_list != NULL))
        return gcast_error_set(err, GCAST_INPUT, "/tie_order", "the list of SMs is missing");
    gcast_status status = latency_check(&gpu->launch_quantiles, "/launch_quantiles", err);
    if (status == GCAST_OK)
        status = latency_check(&gpu->copy_quantiles, "/copy_quantiles", err);
    if (status == GCAST_OK)
        status = gpcs_check(gpu, err);
    return status == GCAST_OK ? check_smem(l, err) : status;
}
