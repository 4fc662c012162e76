#include "simulate/rules/cluster_check.h"

#include "model/workload/attributes/attributes.h"
#include "model/workload/mask.h"

/* The SMs of the GPC g that an op may use. sms: those of the GPC. */
static int usable_sms(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op, int g, const int *sms)
{
    int usable = 0;
    for (int i = 0; i < gpu->gpc_sizes[g]; i++)
        usable += mask_has_sm(mask_at(w, op->mask), sms[i]);
    return usable;
}

/* The most SMs of one GPC that an op may use. */
static int largest_gpc(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op)
{
    const int *sms = gpu->gpc_sms;
    int largest = 0;
    for (int g = 0; g < gpu->gpc_count; sms += gpu->gpc_sizes[g++]) {
        int usable = usable_sms(w, gpu, op, g, sms);
        largest = usable > largest ? usable : largest;
    }
    return largest;
}

uint64_t clusters_most_blocks(const gcast_workload *w, const gcast_gpu *gpu, const gcast_op *op, uint32_t per_sm)
{
    const int *sms = gpu->gpc_sms;
    uint64_t size = attributes_cluster(op), most = 0;
    for (int g = 0; g < gpu->gpc_count; sms += gpu->gpc_sizes[g++]) {
        uint64_t usable = (uint64_t)usable_sms(w, gpu, op, g, sms);
        most += usable < size ? 0 : usable * per_sm / size * size;
    }
    return most;
}

static gcast_status check_cluster(const gcast_workload *w, const gcast_gpu *gpu, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    int size = (int)attributes_cluster(op), largest = largest_gpc(w, gpu, op);
    char path[128];
    gcast_workload_op_path(w, i, path, sizeof path);
    if (gpu->limits.cc_major < 9)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%.100s has clusters, which GPUs have from compute capability 9.0 on; %.100s has %d.%d",
                               op->label, gpu->name, gpu->limits.cc_major, gpu->limits.cc_minor);
    if (!gpu->gpc_count)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%.100s has clusters, and which SMs of %.100s share a GPC is not known: gpcs in a file "
                               "of the GPU says it (man 5 gridcast-gpu)",
                               op->label, gpu->name);
    if (largest < size)
        return gcast_error_set(err, GCAST_INPUT, path,
                               "%.100s can never run on %.100s: a cluster needs %d SMs of one GPC, and no GPC has "
                               "more than %d that it may use",
                               op->label, gpu->name, size, largest);
    return GCAST_OK;
}

gcast_status clusters_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    size_t first = SIZE_MAX; /* kernel with clusters */
    bool others = false;     /* there are kernels beside which clusters are not known */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        others = others || op->policy != GCAST_POLICY_HARDWARE || op->launches;
        if (attributes_cluster(op) == 1)
            continue;
        first = first == SIZE_MAX ? i : first;
        gcast_status status = check_cluster(w, gpu, i, err);
        if (status != GCAST_OK)
            return status;
    }
    if (first == SIZE_MAX || !others)
        return GCAST_OK;
    char path[128];
    gcast_workload_op_path(w, first, path, sizeof path);
    return gcast_error_set(err, GCAST_INPUT, path,
                           "%.100s has clusters: beside kernels with plans, or that launch kernels, this is not "
                           "simulated yet",
                           w->ops[first].label);
}
