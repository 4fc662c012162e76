/* Whether every operation of a workload can run on a GPU at all. */
#include <stdio.h>

#include "model/workload/attributes/attributes.h"
#include "model/workload/launching.h"
#include "model/workload/mask.h"
#include "model/workload/policy.h"
#include "simulate/blocks/sm.h"
#include "simulate/launchable.h"
#include "simulate/rules/copy_duration.h"
#include "simulate/rules/memory_limit.h"

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
        status = attributes_refuse(w, "this is not simulated yet", err);
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
