/* Whether every operation of a workload can run on a GPU at all. */
#include <stdio.h>

#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/launching.h"
#include "model/workload/mask.h"
#include "model/workload/policy.h"
#include "simulate/blocks/sm.h"
#include "simulate/launchable.h"
#include "simulate/rules/cluster_check.h"
#include "simulate/rules/copy_duration.h"
#include "simulate/rules/memory_limit.h"

/* SMs that a kernel may use. */
static int usable_sms(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op)
{
    return op->mask == GCAST_ALL_SMS ? gpu->sms : mask_sm_count(mask_at(w, op->mask), gpu->sms);
}

static gcast_status check_kernel(const gcast_workload *w, const gcast_gpu *gpu, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    gcast_occupancy occupancy;
    char path[128];
    gcast_workload_op_path(w, i, path, sizeof path);
    gcast_status status = gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &occupancy, err);
    if (status != GCAST_OK)
        return status;
    if (!occupancy.blocks_per_sm)
        return gcast_error_set(err, GCAST_INPUT, path, "%s can never run on %s: %s", op->label, gpu->name,
                               occupancy.reason);
    sm_state empty;
    sm_demand demand = sm_demand_of(gpu, op);
    sm_empty(gpu, &empty);
    if (!sm_fit_count(&empty, &demand))
        return gcast_error_set(err, GCAST_INPUT, path, "%s can never run on %s: a block does not fit on an empty SM",
                               op->label, gpu->name);
    if (op->mask != GCAST_ALL_SMS && !mask_sm_count(mask_at(w, op->mask), gpu->sms))
        return gcast_error_set(err, GCAST_INPUT, path, "%s may use no SM that %s has", op->label, gpu->name);
    uint64_t per_sm = min_u64((uint64_t)occupancy.blocks_per_sm, sm_fit_count(&empty, &demand));
    uint64_t most = attributes_cluster(op) > 1 ? clusters_most_blocks(w, gpu, op, (uint32_t)per_sm)
                                               : per_sm * (uint64_t)usable_sms(w, gpu, op);
    if (op->cooperative && op->blocks > most)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%s is cooperative, and only %llu of its %llu blocks can be resident at once on %s",
                               op->label, (unsigned long long)most, (unsigned long long)op->blocks, gpu->name);
    return GCAST_OK;
}

gcast_status launchable_check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_status status = memory_check(w, gpu, err);
    if (status == GCAST_OK)
        status = policy_check_on_gpu(w, gpu, err);
    if (status == GCAST_OK)
        status = launches_check_on_gpu(w, gpu, err);
    if (status == GCAST_OK)
        status = clusters_check_on_gpu(w, gpu, err);
    if (status == GCAST_OK)
        status = attributes_check_on_gpu(w, gpu, err);
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < w->op_count + w->child_count; i++) {
        const gcast_op *op = &w->ops[i];
        status = GCAST_OK;
        int64_t ns;
        if (op->kind == GCAST_KIND_KERNEL)
            status = check_kernel(w, gpu, i, err);
        else if (gcast_kind_on_gpu(op->kind) && op->max_ns == GCAST_UNKNOWN_NS)
            status = copy_bytes_ns(w, gpu, i, &ns, err);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}
