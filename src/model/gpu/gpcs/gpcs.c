#include "model/gpu/gpcs/gpcs.h"

#include <string.h>

#include "base/api/argument_missing.h"
#include "base/arena.h"

static gcast_status check_lists(int sms, const int *sizes, int gpcs, const int *list, gcast_error *err)
{
    bool seen[GCAST_MAX_SMS] = {false};
    int n = 0;
    for (int g = 0; g < gpcs; g++) {
        if (sizes[g] < 1 || sizes[g] > sms - n)
            return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list each SM from 0 to %d once", sms - 1);
        for (int i = 0; i < sizes[g]; i++, n++) {
            if (list[n] < 0 || list[n] >= sms || seen[list[n]])
                return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list each SM from 0 to %d once", sms - 1);
            seen[list[n]] = true;
        }
    }
    if (n != sms)
        return gcast_error_set(err, GCAST_INPUT, "/gpcs", "lists %d SMs, the GPU has %d", n, sms);
    return GCAST_OK;
}

bool gpcs_are_there(const gcast_gpu *gpu)
{
    return !gpu->gpc_count || (gpu->gpc_count > 0 && gpu->gpc_count <= gpu->sms && gpu->gpc_sizes && gpu->gpc_sms);
}

gcast_status gpcs_check(const gcast_gpu *gpu, gcast_error *err)
{
    if (!gpcs_are_there(gpu) || (gpu->gpc_count && gpu->sms > GCAST_MAX_SMS))
        return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list the SMs of each GPC");
    return gpu->gpc_count ? check_lists(gpu->sms, gpu->gpc_sizes, gpu->gpc_count, gpu->gpc_sms, err) : GCAST_OK;
}

/* Memory of the GPU's own for these lists; false without. */
static bool keep(gcast_gpu *gpu, const int *sizes, int gpcs, const int *list, int sms)
{
    int *own_sizes = arena_copy(gpu->memory, sizes, (size_t)gpcs * sizeof *sizes);
    int *own_list = arena_copy(gpu->memory, list, (size_t)sms * sizeof *list);
    if (!own_sizes || !own_list)
        return false;
    gpu->gpc_count = gpcs;
    gpu->gpc_sizes = own_sizes;
    gpu->gpc_sms = own_list;
    return true;
}

gcast_status gcast_gpu_set_gpcs(gcast_gpu *gpu, const int *sizes, int gpcs, const int *list, gcast_error *err)
{
    if (!gpu || !sizes || !list)
        return argument_missing(err);
    if (gpcs < 1 || gpu->sms > GCAST_MAX_SMS)
        return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list the SMs of each GPC");
    gcast_status status = check_lists(gpu->sms, sizes, gpcs, list, err);
    if (status != GCAST_OK)
        return status;
    return keep(gpu, sizes, gpcs, list, gpu->sms) ? GCAST_OK : gcast_error_set_memory(err);
}

bool gpcs_copy(const gcast_gpu *original, gcast_gpu *gpu)
{
    return !original->gpc_count ||
           keep(gpu, original->gpc_sizes, original->gpc_count, original->gpc_sms, original->sms);
}

bool gpcs_keep_first(gcast_gpu *gpu, int sms)
{
    if (!gpu->gpc_count)
        return true;
    int *sizes = arena_alloc_array(gpu->memory, (size_t)gpu->gpc_count, sizeof *sizes);
    int *list = arena_alloc_array(gpu->memory, (size_t)gpu->sms, sizeof *list);
    int gpcs = 0, n = 0;
    if (!sizes || !list)
        return false;
    for (int g = 0, from = 0; g < gpu->gpc_count; from += gpu->gpc_sizes[g++]) {
        int before = n;
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            if (gpu->gpc_sms[from + i] < sms)
                list[n++] = gpu->gpc_sms[from + i];
        if (n > before)
            sizes[gpcs++] = n - before;
    }
    gpu->gpc_count = gpcs;
    gpu->gpc_sizes = sizes;
    gpu->gpc_sms = list;
    return true;
}
