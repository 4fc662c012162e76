#include "simulate/explain/attributes/cluster_waits.h"

#include "model/workload/attributes/attributes.h"
#include "model/workload/mask.h"
#include "simulate/run_ops.h"

bool explain_cluster_sms(const gcast_run *run, size_t run_op, const sm_set *sms, bool *on_rank)
{
    const gcast_op *op = run_spec(run, run_op);
    const gcast_mask *mask = mask_at(run->workload, op->mask);
    const int *sm = run->gpu->gpc_sms;
    uint32_t size = attributes_cluster(op);
    for (int g = 0; g < run->gpu->gpc_count && size > 1; sm += run->gpu->gpc_sizes[g++]) {
        uint32_t usable = 0;
        for (int i = 0; i < run->gpu->gpc_sizes[g]; i++)
            usable += mask_has_sm(mask, sm[i]);
        for (int i = 0; i < run->gpu->gpc_sizes[g]; i++)
            on_rank[sms->rank[sm[i]]] = usable >= size && mask_has_sm(mask, sm[i]);
    }
    return size > 1;
}
